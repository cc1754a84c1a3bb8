import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { JsonObject } from '../../tools/sandbox/types';
import { NODE, errorOf, itemsOf, jsonOf, run, useSandbox, wire } from './harness';

const sandbox = useSandbox();

/** A user with entries in the metadata that no operation of these tests names. */
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

/** Groups whose password, members and metadata have to stay. */
const GROUPS = [
	{ guid: 'board', name: 'Board', type: 'private' },
	{ guid: 'vault', name: 'Vault', type: 'password', password: 'old' },
	{ guid: 'docs', name: 'Docs', type: 'public', metadata: { floor: 3, wifi: { name: 'lab' } } },
] as const;

beforeEach(() => {
	const { people } = sandbox().store;
	people.create(structuredClone(ANN));
	for (const each of GROUPS) {
		sandbox().store.createGroup({ tags: [], owner: 'mira', ...structuredClone(each) });
	}
});

const user = (ifExists: string, more: INodeParameters = {}): INodeParameters => ({
	resource: 'user',
	operation: 'create',
	...{ uid: 'ann', name: 'Ann', additionalFields: {}, options: { ifExists }, ...more },
});

const group = (ifExists: string, more: INodeParameters = {}): INodeParameters => ({
	resource: 'group',
	operation: 'create',
	...{ guid: 'board', name: 'Board', additionalFields: {}, options: { ifExists }, ...more },
});

/** All users and groups as the sandbox stores them, without the time of their last change. */
function everything(): Map<string, JsonObject> {
	const { people, groups } = sandbox().store;
	const guids = [...GROUPS.map(({ guid }) => guid), 'all-hands'];
	const all = [
		...people.all().map((each): [string, object] => [each.uid, each]),
		...people.deactivated().map((each): [string, object] => [each.uid, each]),
		...guids.map((guid): [string, object] => [guid, groups.existing(guid)]),
	];
	return new Map(
		all.map(([id, stored]) => {
			const copy = structuredClone(stored) as JsonObject;
			delete copy.updatedAt;
			delete copy.updatedBy;
			return [id, copy];
		}),
	);
}

/** What changed since `before`: the fields of each user or group, with their new values. */
function changesSince(before: Map<string, JsonObject>): JsonObject {
	const changed = [...everything()].flatMap(([id, after]) => {
		const known = before.get(id) ?? {};
		const names = [...new Set([...Object.keys(known), ...Object.keys(after)])];
		const fields = names.filter(
			(each) => JSON.stringify(known[each]) !== JSON.stringify(after[each]),
		);
		return fields.length > 0
			? [[id, Object.fromEntries(fields.map((each) => [each, after[each]]))]]
			: [];
	});
	return Object.fromEntries(changed) as JsonObject;
}

interface Case {
	does: string;
	parameters: INodeParameters;
	/** Fields that change, by user or group */
	changes: object;
	/** Requests in order */
	requests: string[];
	/** Columns of the item */
	item?: IDataObject;
}

const CREATE_USER = 'POST /users';
const CREATE_GROUP = 'POST /groups';

const CASES: Case[] = [
	{
		does: 'Return It changes nothing of a user',
		parameters: user('return', {
			name: 'Changed',
			additionalFields: { email: 'a@b.c', role: 'default' },
		}),
		changes: {},
		requests: [CREATE_USER, 'GET /users/ann'],
		item: { uid: 'ann', name: 'Ann', email: 'old@example.com', phone: '+49 151', existed: true },
	},
	{
		does: 'Update It changes a name without a word about the metadata',
		parameters: user('update', { name: 'Ann Lee' }),
		changes: { ann: { name: 'Ann Lee' } },
		requests: [CREATE_USER, 'PUT /users/ann'],
		item: { name: 'Ann Lee', email: 'old@example.com', existed: true },
	},
	{
		does: 'Update It with an email keeps the phone number and everything else',
		parameters: user('update', { additionalFields: { email: 'new@example.com' } }),
		changes: {
			ann: {
				metadata: {
					plan: { name: 'gold', seats: 5 },
					'@private': { contactNumber: '+49 151', email: 'new@example.com' },
				},
			},
		},
		requests: [CREATE_USER, 'GET /users/ann', 'PUT /users/ann'],
		item: { email: 'new@example.com', phone: '+49 151' },
	},
	{
		does: 'Update It with a phone number keeps the email address',
		parameters: user('update', { additionalFields: { phone: '+1' } }),
		changes: {
			ann: {
				metadata: {
					plan: { name: 'gold', seats: 5 },
					'@private': { contactNumber: '+1', email: 'old@example.com' },
				},
			},
		},
		requests: [CREATE_USER, 'GET /users/ann', 'PUT /users/ann'],
	},
	{
		does: 'Update It with metadata adds to what is there, at every depth',
		parameters: user('update', {
			additionalFields: { metadata: '{"plan": {"seats": 9}, "since": 2024}' },
		}),
		changes: {
			ann: {
				metadata: {
					plan: { name: 'gold', seats: 9 },
					'@private': { contactNumber: '+49 151', email: 'old@example.com' },
					since: 2024,
				},
			},
		},
		requests: [CREATE_USER, 'GET /users/ann', 'PUT /users/ann'],
	},
	{
		does: 'Update It creates no auth token',
		parameters: user('update', { additionalFields: { withAuthToken: true, role: 'default' } }),
		changes: { ann: { role: 'default' } },
		requests: [CREATE_USER, 'PUT /users/ann'],
		item: { authToken: null, existed: true },
	},
	{
		does: 'Return It changes nothing of a group',
		parameters: group('return', { name: 'Changed', additionalFields: { tags: ['new'] } }),
		changes: {},
		requests: [CREATE_GROUP, 'GET /groups/board'],
		item: { guid: 'board', name: 'Board', type: 'private', existed: true, membersNotAdded: null },
	},
	{
		does: 'Update It keeps a private group private',
		parameters: group('update', { name: 'The Board' }),
		changes: { board: { name: 'The Board' } },
		requests: [CREATE_GROUP, 'PUT /groups/board'],
		item: { type: 'private', existed: true },
	},
	{
		does: 'Update It keeps type and password of a group with a password',
		parameters: group('update', { guid: 'vault', name: 'Safe', type: 'password', password: 'new' }),
		changes: { vault: { name: 'Safe' } },
		requests: [CREATE_GROUP, 'PUT /groups/vault'],
	},
	{
		does: 'Update It keeps the owner',
		parameters: group('update', { additionalFields: { owner: 'leo', tags: ['new'] } }),
		changes: { board: { tags: ['new'] } },
		requests: [CREATE_GROUP, 'PUT /groups/board'],
	},
	{
		does: 'Update It merges the metadata of a group',
		parameters: group('update', {
			guid: 'docs',
			name: 'Docs',
			additionalFields: { metadata: '{"wifi": {"key": "x"}}' },
		}),
		changes: { docs: { metadata: { floor: 3, wifi: { name: 'lab', key: 'x' } } } },
		requests: [CREATE_GROUP, 'GET /groups/docs', 'PUT /groups/docs'],
	},
	...['return', 'update'].map((ifExists): Case => ({
		does: `${ifExists} adds no members, and names them`,
		parameters: group(ifExists, {
			additionalFields: { admins: ['mira'], participants: ['leo', 'nobody'] },
		}),
		changes: {},
		requests: [CREATE_GROUP, `${ifExists === 'return' ? 'GET' : 'PUT'} /groups/board`],
		item: {
			membersNotAdded: [
				'mira: the group already exists',
				'leo: the group already exists',
				'nobody: the group already exists',
			],
		},
	})),
];

describe.each(['replace', 'merge'] as const)(
	'Where CometChat does %s metadata',
	(groupMetadata) => {
		test.each(CASES)('$does', async ({ parameters, changes, requests, item = {} }) => {
			sandbox().setSettings({ groupMetadata });
			const before = everything();
			const items = await jsonOf(sandbox(), parameters);
			expect(changesSince(before)).toEqual(changes);
			expect(items).toEqual([expect.objectContaining(item)]);
			expect(wire(sandbox())).toEqual(requests);
			expect(sandbox().violations).toEqual([]);
		});
	},
);

test('User → Update merges metadata in the same way', async () => {
	const before = everything();
	const update = (updateFields: INodeParameters): INodeParameters => ({
		...{ resource: 'user', operation: 'update', userId: 'ann', updateFields },
	});
	await itemsOf(sandbox(), update({ email: 'new@example.com' }));
	await itemsOf(sandbox(), update({ metadata: '{"plan": {"seats": 9}}', name: 'Ann Lee' }));
	await itemsOf(sandbox(), update({ tags: ['x'] }));
	expect(changesSince(before)).toEqual({
		ann: {
			name: 'Ann Lee',
			tags: ['x'],
			metadata: {
				plan: { name: 'gold', seats: 9 },
				'@private': { contactNumber: '+49 151', email: 'new@example.com' },
			},
		},
	});
	const [, body] = sandbox().log.filter(({ method }) => method === 'GET');
	expect(body.path).toBe('/v3/users/ann');
	expect(wire(sandbox())).toEqual([
		...['GET /users/ann', 'PUT /users/ann', 'GET /users/ann', 'PUT /users/ann'],
		'PUT /users/ann',
	]);
	await itemsOf(sandbox(), update({ unset: ['metadata'] }));
	expect(sandbox().store.people.user('ann').metadata).toBeUndefined();
});

test.each<[INodeParameters, string]>([
	[{ unset: ['metadata'], email: 'a@b.c' }, 'Email'],
	[{ metadata: '', phone: '+1' }, 'Phone'],
	[{ metadata: '{"a": 1}', unset: ['avatar', 'metadata'] }, 'Metadata'],
])(
	'User → Update refuses %j, which would set a part of what it clears',
	async (updateFields, label) => {
		const error = await errorOf(sandbox(), {
			...{ resource: 'user', operation: 'update', userId: 'ann', updateFields },
		});
		expect(error.message).toBe(`'${label}' would be cleared with the metadata`);
		expect(error.description).toBe(`Remove '${label}', or don't clear Metadata.`);
		expect(sandbox().log).toEqual([]);
	},
);

test('two rows with the same ID create the user once, and the second row updates it', async () => {
	const parameters = user('update', {
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
});

test('members that were not added are in a hint', async () => {
	const hintsOf = async (parameters: INodeParameters) => {
		const { run: result } = await run(sandbox(), parameters);
		return (result.data.resultData.runData[NODE][0].hints ?? []).map(({ message }) => message);
	};
	expect(await hintsOf(group('return', { additionalFields: { participants: ['leo'] } }))).toEqual([
		'Group → Create adds no members to a group that already exists. Group → Add Members adds them.',
	]);
	expect(await hintsOf(group('return'))).toEqual([]);
});

test.each([
	['user', user('fail'), 'A user with this UID already exists', "'User ID (UID)'"],
	['group', group('fail'), 'A group with this GUID already exists', "'Group ID (GUID)'"],
])('Fail names the way out for a %s', async (_, parameters, message, label) => {
	const error = await errorOf(sandbox(), parameters);
	expect(error.message).toBe(message);
	expect(error.description).toMatch(
		new RegExp(
			`^Check ${label.replace(/[()]/g, '\\$&')}\\. Or set 'If It Exists' to Return It or Update It\\. `,
		),
	);
	expect(sandbox().log).toHaveLength(1);
});

test.each(['return', 'update'])('%s names the way out for a deactivated user', async (ifExists) => {
	sandbox().store.people.deactivate('ann');
	const before = everything();
	const { message, description } = await errorOf(sandbox(), user(ifExists, { name: 'New' }));
	expect(message).toBe('A deactivated user has this UID');
	expect(description).toMatch(/^User → Reactivate brings them back\. CometChat replied: /);
	expect(changesSince(before)).toEqual({});
});

test('an owner together with a user is refused, since CometChat would ignore the owner', async () => {
	const parameters = group('fail', { additionalFields: { owner: 'leo' }, onBehalfOf: 'mira' });
	const { message, description } = await errorOf(sandbox(), parameters);
	expect(message).toBe("'Owner' has no effect together with 'On Behalf Of'");
	expect(description).toBe("Clear 'On Behalf Of': only the app itself can set the owner.");
	expect(sandbox().log).toEqual([]);
});

test.each(['return', 'update'])('%s: a new user is created with one request', async (ifExists) => {
	const items = await jsonOf(sandbox(), user(ifExists, { uid: 'bob' }));
	expect(items).toMatchObject([{ uid: 'bob', existed: false }]);
	expect(wire(sandbox())).toEqual([CREATE_USER]);
});

test('Raw is what CometChat sent', async () => {
	const [item] = await jsonOf(sandbox(), { ...user('return'), output: 'raw' });
	expect(item).toMatchObject(ANN);
	expect(item).not.toHaveProperty('existed');
});

test('a group is read and updated on behalf of the user who creates it', async () => {
	await itemsOf(
		sandbox(),
		group('update', { additionalFields: { metadata: '{"a": 1}' }, onBehalfOf: 'mira' }),
	);
	expect(sandbox().log.map(({ headers }) => headers.onbehalfof)).toEqual(['mira', 'mira', 'mira']);
});

describe('A request that fails', () => {
	const EMAIL = user('update', { name: 'New', additionalFields: { email: 'new@example.com' } });

	const refusal = (status: number, code: string) => ({
		status: { status, body: { error: { code, message: 'No' } } },
	});
	const BAD = refusal(400, 'ERR_BAD_REQUEST');
	const MISSING = refusal(404, 'ERR_UID_NOT_FOUND');
	const BROKEN = { status: { status: 500 } };

	test.each([
		['POST', BAD, 'CometChat rejected a field value', ''],
		['POST', refusal(404, 'ERR_ROLE_NOT_FOUND'), 'The app does not have this role', ''],
		['POST', BROKEN, 'CometChat may already have created the user', 'Check the user before'],
		['GET', BAD, 'CometChat rejected a field value', ''],
		['GET', MISSING, 'A deactivated user has this UID', 'User → Reactivate brings them back.'],
		['GET', BROKEN, 'CometChat had an internal error', 'Try again later.'],
		['PUT', BAD, 'CometChat rejected a field value', ''],
		['PUT', MISSING, 'A deactivated user has this UID', 'User → Reactivate brings them back.'],
		['PUT', BROKEN, 'CometChat may already have updated the user', 'Check the user before'],
	])('%s %j: %s', async (method, effect, message, advice) => {
		sandbox().setFaults([{ match: { method }, effect }]);
		const before = everything();
		const error = await errorOf(sandbox(), EMAIL);
		expect(error.message).toBe(message);
		expect(error.description?.slice(0, advice.length)).toBe(advice);
		expect(changesSince(before)).toEqual({});
		expect(sandbox().log.at(-1)?.method).toBe(method);
		expect(sandbox().log).toHaveLength(['POST', 'GET', 'PUT'].indexOf(method) + 1);
	});

	test.each(['POST', 'GET', 'PUT'])('%s 429 is sent again', async (method) => {
		sandbox().setFaults([{ match: { method, times: 1 }, effect: { tooManyRequests: {} } }]);
		expect(await jsonOf(sandbox(), EMAIL)).toMatchObject([{ name: 'New', existed: true }]);
		const expected = ['POST', 'GET', 'PUT'].flatMap((each) =>
			each === method ? [each, each] : [each],
		);
		expect(sandbox().log.map((entry) => entry.method)).toEqual(expected);
	});

	test('is called an update of the group for a group', async () => {
		sandbox().setFaults([{ match: { method: 'PUT' }, effect: BROKEN }]);
		const { message } = await errorOf(sandbox(), group('update'));
		expect(message).toBe('CometChat may already have updated the group');
	});
});
