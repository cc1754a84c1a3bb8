import type { IDataObject, INodeParameters } from 'n8n-workflow';

import {
	NODE,
	errorOf,
	group,
	hintsOf,
	itemsOf,
	jsonOf,
	refusalOf,
	run,
	user,
	useSandbox,
	wire,
} from './harness';

const sandbox = useSandbox();

/** An existing user with metadata that the tested operations don't set. */
const ANN = {
	uid: 'ann',
	name: 'Ann',
	role: 'support',
	tags: ['vip'],
	metadata: {
		plan: { name: 'gold', seats: 5 },
		'@private': { contactNumber: '+49 151', email: 'old@example.com' },
	},
};

/** Existing groups with a password, members or metadata. */
const GROUPS = [
	{ guid: 'board', name: 'Board', type: 'private' },
	{ guid: 'vault', name: 'Vault', type: 'password', password: 'old' },
	{ guid: 'docs', name: 'Docs', type: 'public', metadata: { floor: 3, wifi: { name: 'lab' } } },
] as const;

beforeEach(() => {
	const { store } = sandbox();
	store.people.create(structuredClone(ANN));
	for (const each of GROUPS) {
		store.createGroup({ tags: [], owner: 'mira', ...structuredClone(each) });
	}
});

const createUser = (ifExists: string, more: INodeParameters = {}) =>
	user('create', { uid: 'ann', name: 'Ann', options: { ifExists }, ...more });

const createGroup = (ifExists: string, more: INodeParameters = {}) =>
	group('create', { guid: 'board', name: 'Board', options: { ifExists }, ...more });

const updateUser = (updateFields: INodeParameters) =>
	user('update', { userId: 'ann', updateFields });

/** Copies the stored fields of all users and groups, except update times. Keys look like "ann.name". */
function readStore(): Map<string, unknown> {
	const { people, groups } = sandbox().store;
	const stored = new Map<string, object>([
		...[...people.all(), ...people.deactivated()].map((each) => [each.uid, each] as const),
		...groups.all().map((each) => [each.guid, each] as const),
	]);
	const fields = [...stored].flatMap(([id, entity]) =>
		Object.entries(entity).map(([name, value]) => [`${id}.${name}`, value] as const),
	);
	return new Map(structuredClone(fields.filter(([name]) => !/\.updated(At|By)$/.test(name))));
}

/** Returns the new values of all stored fields that changed since the copy `before` was made. */
function changesSince(before: Map<string, unknown>): object {
	const after = readStore();
	const names = new Set([...before.keys(), ...after.keys()]);
	const isChanged = (name: string) =>
		JSON.stringify(before.get(name)) !== JSON.stringify(after.get(name));
	return Object.fromEntries([...names].filter(isChanged).map((name) => [name, after.get(name)]));
}

interface Case {
	does: string;
	parameters: INodeParameters;
	/** New values of the stored fields that change */
	changes: object;
	/** Requests that follow the failed attempt to create the entity */
	requests: string[];
	/** Expected columns in the output item */
	item?: IDataObject;
	hints?: string[];
	settings?: { groupMetadata: 'replace' | 'merge' };
}

const MEMBERS = { admins: ['mira'], participants: ['leo', 'nobody'] };
const NOT_ADDED = {
	membersNotAdded: ['mira', 'leo', 'nobody'].map((uid) => `${uid}: the group already exists`),
};
const NOT_ADDED_HINT =
	'Group → Create adds no members to a group that already exists. Group → Add Members adds them.';

const CASES: Case[] = [
	{
		does: 'Return It changes nothing of a user',
		parameters: createUser('return', {
			name: 'Changed',
			additionalFields: { email: 'a@b.c', role: 'default' },
		}),
		changes: {},
		requests: ['GET /users/ann'],
		item: { uid: 'ann', name: 'Ann', email: 'old@example.com', phone: '+49 151', existed: true },
	},
	{
		does: 'Update It changes a name without sending metadata',
		parameters: createUser('update', { name: 'Ann Lee' }),
		changes: { 'ann.name': 'Ann Lee' },
		requests: ['PUT /users/ann'],
		item: { name: 'Ann Lee', email: 'old@example.com', existed: true },
	},
	{
		does: 'Update It with an email keeps the phone number and other metadata',
		parameters: createUser('update', { additionalFields: { email: 'new@example.com' } }),
		changes: {
			'ann.metadata': {
				plan: { name: 'gold', seats: 5 },
				'@private': { contactNumber: '+49 151', email: 'new@example.com' },
			},
		},
		requests: ['GET /users/ann', 'PUT /users/ann'],
		item: { email: 'new@example.com', phone: '+49 151' },
	},
	{
		does: 'Update It merges metadata at every depth',
		parameters: createUser('update', {
			additionalFields: { metadata: '{"plan": {"seats": 9}, "since": 2024}' },
		}),
		changes: {
			'ann.metadata': { ...ANN.metadata, plan: { name: 'gold', seats: 9 }, since: 2024 },
		},
		requests: ['GET /users/ann', 'PUT /users/ann'],
	},
	{
		does: 'Update It creates no auth token',
		parameters: createUser('update', {
			additionalFields: { withAuthToken: true, role: 'default' },
		}),
		changes: { 'ann.role': 'default' },
		requests: ['PUT /users/ann'],
		item: { authToken: null, existed: true },
	},
	{
		does: 'Return It changes nothing of a group, and lists the members who are not added',
		parameters: createGroup('return', {
			name: 'Changed',
			additionalFields: { tags: ['new'], ...MEMBERS },
		}),
		changes: {},
		requests: ['GET /groups/board'],
		item: { guid: 'board', name: 'Board', type: 'private', existed: true, ...NOT_ADDED },
		hints: [NOT_ADDED_HINT],
	},
	{
		does: 'Update It keeps the type, the owner and the members of a private group',
		parameters: createGroup('update', {
			name: 'The Board',
			additionalFields: { owner: 'leo', tags: ['new'], ...MEMBERS },
		}),
		changes: { 'board.name': 'The Board', 'board.tags': ['new'] },
		requests: ['PUT /groups/board'],
		item: { type: 'private', existed: true, ...NOT_ADDED },
		hints: [NOT_ADDED_HINT],
	},
	{
		does: 'Update It keeps the password of a group',
		parameters: createGroup('update', {
			...{ guid: 'vault', name: 'Safe', type: 'password', password: 'new' },
		}),
		changes: { 'vault.name': 'Safe' },
		requests: ['PUT /groups/vault'],
		item: { existed: true, guid: 'vault', type: 'password' },
	},
	...(['replace', 'merge'] as const).map((groupMetadata) => ({
		does: `Update It merges the metadata of a group if CometChat would ${groupMetadata} it`,
		parameters: createGroup('update', {
			...{ guid: 'docs', name: 'Docs' },
			additionalFields: { metadata: '{"wifi": {"key": "x"}}' },
		}),
		changes: { 'docs.metadata': { floor: 3, wifi: { name: 'lab', key: 'x' } } },
		requests: ['GET /groups/docs', 'PUT /groups/docs'],
		settings: { groupMetadata },
	})),
];

test.each(CASES)('$does', async (tested) => {
	const { parameters, changes, requests, item = {}, hints = [], settings = {} } = tested;
	sandbox().setSettings(settings);
	const before = readStore();
	const result = await run(sandbox(), parameters);
	expect(changesSince(before)).toEqual(changes);
	expect(result.items(NODE)).toMatchObject([{ json: item }]);
	expect(hintsOf(result)).toEqual(hints);
	expect(wire(sandbox())).toEqual([`POST /${String(parameters.resource)}s`, ...requests]);
	expect(sandbox().violations).toEqual([]);
});

test('User → Update merges metadata, and reads the user only if necessary', async () => {
	const before = readStore();
	await itemsOf(sandbox(), updateUser({ email: 'new@example.com' }));
	await itemsOf(sandbox(), updateUser({ metadata: '{"plan": {"seats": 9}}', name: 'Ann Lee' }));
	await itemsOf(sandbox(), updateUser({ tags: ['x'] }));
	expect(changesSince(before)).toEqual({
		'ann.name': 'Ann Lee',
		'ann.tags': ['x'],
		'ann.metadata': {
			plan: { name: 'gold', seats: 9 },
			'@private': { contactNumber: '+49 151', email: 'new@example.com' },
		},
	});
	const merge = ['GET /users/ann', 'PUT /users/ann'];
	expect(wire(sandbox())).toEqual([...merge, ...merge, 'PUT /users/ann']);
	await itemsOf(sandbox(), updateUser({ unset: ['metadata'] }));
	expect(sandbox().store.people.user('ann').metadata).toBeUndefined();
});

test.each<[INodeParameters, string, string]>([
	[
		updateUser({ unset: ['metadata'], email: 'a@b.c' }),
		"'Unset: Metadata' can't be combined with 'Email'",
		'Use only one of them.',
	],
	[
		updateUser({ metadata: '', phone: '+1' }),
		"'Metadata' is empty, which would also clear the values of other fields",
		"Remove 'Metadata', or the fields that are stored in it.",
	],
	[
		updateUser({ metadata: '{"a": 1}', unset: ['avatar', 'metadata'] }),
		"'Unset: Metadata' can't be combined with 'Metadata'",
		'Use only one of them.',
	],
	[
		createGroup('fail', { additionalFields: { owner: 'leo' }, onBehalfOf: 'mira' }),
		"'Owner' can't be combined with 'On Behalf Of'",
		'Use only one of them.',
	],
])('Fields that contradict each other are rejected: %j', async (parameters, ...texts) => {
	const { message, description } = await refusalOf(sandbox(), parameters);
	expect([message, description]).toEqual(texts);
});

test('Two items with the same ID create a user and then update the user', async () => {
	const parameters = createUser('update', {
		uid: '={{ $json.uid }}',
		name: '={{ $json.name }}',
		additionalFields: { metadata: '={{ $json.metadata }}' },
	});
	const input = [
		{ uid: 'bob', name: 'Bob', metadata: { a: 1 } },
		{ uid: 'BOB', name: 'Robert', metadata: { b: 2 } },
	];
	const items = await jsonOf(sandbox(), parameters, { input });
	expect(items.map(({ uid, name, existed }) => [uid, name, existed])).toEqual([
		['bob', 'Bob', false],
		['bob', 'Robert', true],
	]);
	expect(sandbox().store.people.user('bob').metadata).toEqual({ a: 1, b: 2 });
	expect(sandbox().log.map(({ method }) => method)).toEqual(['POST', 'POST', 'GET', 'PUT']);
});

test.each([
	[createUser('fail'), 'A user with this UID already exists', "'User ID (UID)'"],
	[createGroup('fail'), 'A group with this GUID already exists', "'Group ID (GUID)'"],
])("The error for a taken ID suggests 'If It Exists': %j", async (parameters, message, label) => {
	const error = await errorOf(sandbox(), parameters);
	expect(error.message).toBe(message);
	const advice = `Check ${label}. Or set 'If It Exists' to Return It or Update It. `;
	expect(error.description?.slice(0, advice.length)).toBe(advice);
	expect(sandbox().log).toHaveLength(1);
});

test.each(['return', 'update'])(
	"With '%s', the error for a deactivated user suggests User → Reactivate",
	async (ifExists) => {
		sandbox().store.people.deactivate('ann');
		const before = readStore();
		const parameters = createUser(ifExists, { name: 'New' });
		const { message, description } = await errorOf(sandbox(), parameters);
		expect(message).toBe('A deactivated user has this UID');
		expect(description).toMatch(/^User → Reactivate brings them back\. CometChat replied: /);
		expect(changesSince(before)).toEqual({});
	},
);

test("With Output → Raw, the item has no column 'existed'", async () => {
	const [item] = await jsonOf(sandbox(), { ...createUser('return'), output: 'raw' });
	expect(item).toMatchObject(ANN);
	expect(item).not.toHaveProperty('existed');
});

test('Group → Create reads and updates an existing group on behalf of the same user', async () => {
	const additionalFields = { metadata: '{"a": 1}' };
	await itemsOf(sandbox(), createGroup('update', { additionalFields, onBehalfOf: 'mira' }));
	expect(sandbox().log.map(({ headers }) => headers.onbehalfof)).toEqual(['mira', 'mira', 'mira']);
});

const METHODS = ['POST', 'GET', 'PUT'];

/** Parameters that create a user, or fetch and update the user if the UID is taken. */
const WITH_EMAIL = createUser('update', {
	name: 'New',
	additionalFields: { email: 'new@example.com' },
});

const refusal = (code: string) => ({
	status: { status: 404, body: { error: { code, message: 'No' } } },
});
const MISSING = refusal('ERR_UID_NOT_FOUND');
const BROKEN = { status: { status: 500 } };

test.each([
	['POST', refusal('ERR_ROLE_NOT_FOUND'), 'The app does not have this role', ''],
	['POST', BROKEN, 'CometChat may already have created the user', 'Check the user before'],
	['GET', MISSING, 'A deactivated user has this UID', 'User → Reactivate brings them back.'],
	['GET', BROKEN, 'CometChat could not process the request', 'Try again later.'],
	['PUT', MISSING, 'A deactivated user has this UID', 'User → Reactivate brings them back.'],
	['PUT', BROKEN, 'CometChat could not process the request', 'Try again later.'],
])(
	'A failed %s changes nothing, and ends the item: %j',
	async (method, effect, message, advice) => {
		sandbox().setFaults([{ match: { method }, effect }]);
		const before = readStore();
		const error = await errorOf(sandbox(), WITH_EMAIL);
		expect(error.message).toBe(message);
		expect(error.description?.slice(0, advice.length)).toBe(advice);
		expect(changesSince(before)).toEqual({});
		const requests = sandbox().log.map((entry) => entry.method);
		expect(requests).toEqual(METHODS.slice(0, METHODS.indexOf(method) + 1));
	},
);

test.each(METHODS)('After a 429, the node sends only the %s again', async (method) => {
	sandbox().setFaults([{ match: { method, times: 1 }, effect: { tooManyRequests: {} } }]);
	expect(await jsonOf(sandbox(), WITH_EMAIL)).toMatchObject([{ name: 'New', existed: true }]);
	const expected = METHODS.flatMap((each) => (each === method ? [each, each] : [each]));
	expect(sandbox().log.map((entry) => entry.method)).toEqual(expected);
});
