import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { callTool, errorOf, itemsOf, jsonOf, useSandbox } from './harness';
import { OPERATIONS } from './operations';

const sandbox = useSandbox();

const user = (operation: string, more: INodeParameters): INodeParameters => ({
	resource: 'user',
	operation,
	output: 'simplified',
	...more,
});

const WITH_USER = OPERATIONS.filter(
	({ key, parameters }) => key.startsWith('user ') && 'userId' in parameters,
);

test.each(WITH_USER)('$key refuses an empty UID before anything is sent', async (operation) => {
	const nothing = ['={{ " " }}', '={{ $json.nothing }}'];
	for (const userId of [...nothing, { __rl: true, mode: 'id', value: nothing[0] }]) {
		const { message } = await errorOf(sandbox(), { ...operation.parameters, userId });
		expect(message).toMatch(/^'User' is empty/);
	}
	expect(sandbox().log).toEqual([]);
});

/** Methods and bodies of what an operation sends. */
async function sent(
	parameters: INodeParameters,
	setup: { input?: IDataObject[] } = {},
): Promise<Array<[unknown, unknown]>> {
	const requests: Array<[unknown, unknown]> = [];
	await itemsOf(sandbox(), parameters, {
		...setup,
		onRequest: ({ method, body }) => requests.push([method, body]),
	});
	return requests;
}

describe('A user with an email address', () => {
	const PRIVATE = { email: 'ann@example.com', contactNumber: '+49 151' };

	test.each<[string, INodeParameters]>([
		['before the metadata', { email: PRIVATE.email, phone: PRIVATE.contactNumber, metadata: '{}' }],
		['after it', { metadata: '{"plan": 1}', email: PRIVATE.email, phone: PRIVATE.contactNumber }],
		[
			'beside what is private already',
			{
				phone: PRIVATE.contactNumber,
				metadata: `{"@private": {"email": "${PRIVATE.email}"}}`,
			},
		],
	])('%s has it where others do not see it', async (_, additionalFields) => {
		const [[, body]] = await sent(user('create', { uid: 'ann', name: 'Ann', additionalFields }));
		const plan = String(additionalFields.metadata).includes('plan') ? { plan: 1 } : {};
		expect(body).toHaveProperty('metadata', { ...plan, '@private': PRIVATE });
	});

	test('leaves the input item as it was', async () => {
		const input = [{ metadata: { '@private': { a: 1 } } }];
		const updateFields = { metadata: '={{ $json.metadata }}', email: PRIVATE.email };
		expect(await sent(user('update', { userId: 'mira', updateFields }), { input })).toEqual([
			['PUT', { metadata: { '@private': { a: 1, email: PRIVATE.email } } }],
		]);
		expect(input).toEqual([{ metadata: { '@private': { a: 1 } } }]);
	});

	test.each(['ann', 'ann@', '@example.com', 'ann lee@example.com'])(
		'%j is none, and nothing is sent',
		async (email) => {
			const { message } = await errorOf(
				sandbox(),
				user('create', { uid: 'ann', name: 'Ann', additionalFields: { email } }),
			);
			expect(message).toBe("'Email' is not an email address");
			expect(sandbox().log).toEqual([]);
		},
	);

	test('as a UID is refused with an expression that makes one of it', async () => {
		const { message, description } = await errorOf(
			sandbox(),
			user('create', { uid: 'ann@example.com', name: 'Ann' }),
		);
		expect(message).toMatch(/^'User ID \(UID\)' can have only letters/);
		expect(description).toContain("{{ $json.email.replace(/[^\\w-]/g, '_') }}");
	});
});

test.each([
	[
		'user',
		user('get', { userId: "={{ $fromAI('User') }}" }),
		"'User' must be a UID, and this is a name. Get the UID with User → List.",
	],
	[
		'group',
		{ resource: 'group', operation: 'get', groupId: "={{ $fromAI('User') }}" },
		"'Group' must be a GUID, and this is a name. Get the GUID with Group → List.",
	],
])('A model that names a %s reads where to get the ID', async (_what, parameters, sentence) => {
	const [result] = await callTool(sandbox(), parameters, [{ User: 'Noor van Dalen' }]);
	expect(result).toContain(sentence);
	expect(sandbox().log).toEqual([]);
});

describe('If It Exists', () => {
	const users = (ifExists: string, more: INodeParameters = {}): INodeParameters =>
		user('create', {
			...{ uid: 'MIRA', name: 'Mira the First' },
			additionalFields: { role: 'default', withAuthToken: true },
			options: { ifExists },
			...more,
		});
	const groups = (ifExists: string): INodeParameters => ({
		...{ resource: 'group', operation: 'create', guid: 'all-hands', name: 'Everybody' },
		...{ type: 'private', additionalFields: { participants: ['leo'], tags: ['all'] } },
		...{ options: { ifExists }, onBehalfOf: 'mira' },
	});
	const requests = () => sandbox().log.map(({ method, path }) => `${method} ${path}`);

	test.each([
		['a user', users, 'A user with this UID exists already'],
		['a group', groups, 'A group with this GUID exists already'],
	])('%s: Fail ends with an error', async (_, parametersFor, said) => {
		expect((await errorOf(sandbox(), parametersFor('fail'))).message).toBe(said);
		expect(sandbox().log).toHaveLength(1);
	});

	test('Return It returns a user, or a group, as it is', async () => {
		expect(await jsonOf(sandbox(), users('return'))).toMatchObject([
			{ uid: 'mira', name: expect.not.stringMatching('First'), existed: true },
		]);
		expect(await jsonOf(sandbox(), groups('return'))).toMatchObject([
			{ guid: 'all-hands', name: expect.not.stringMatching('Everybody'), existed: true },
		]);
		expect(requests()).toEqual([
			...['POST /v3/users', 'GET /v3/users/MIRA'],
			...['POST /v3/groups', 'GET /v3/groups/all-hands'],
		]);
		expect(sandbox().log[3].headers.onbehalfof).toBe('mira');
		expect(sandbox().violations).toEqual([]);
	});

	test('Update It changes it, without what only a new one has', async () => {
		expect(await jsonOf(sandbox(), users('update'))).toMatchObject([
			{ uid: 'mira', name: 'Mira the First', existed: true },
		]);
		expect(await jsonOf(sandbox(), groups('update'))).toMatchObject([
			{ guid: 'all-hands', name: 'Everybody', type: 'private', existed: true },
		]);
		expect((await sent(users('update')))[1]).toEqual([
			'PUT',
			{ name: 'Mira the First', role: 'default' },
		]);
		expect((await sent(groups('update')))[1]).toEqual([
			'PUT',
			{ name: 'Everybody', type: 'private', tags: ['all'] },
		]);
		expect(sandbox().violations).toEqual([]);
	});

	test.each(['return', 'update'])('%s: what is new is created, once', async (ifExists) => {
		const items = await jsonOf(sandbox(), users(ifExists, { uid: 'ann' }));
		expect(items).toMatchObject([{ uid: 'ann', existed: false }]);
		expect(requests()).toEqual(['POST /v3/users']);
	});

	test('another refusal stays one', async () => {
		const parameters = users('return', { additionalFields: { role: 'chief' }, uid: 'ann' });
		expect((await errorOf(sandbox(), parameters)).message).toBe('The app has no such role');
		expect(sandbox().log).toHaveLength(1);
	});

	test('Raw is what CometChat sent', async () => {
		const [item] = await jsonOf(sandbox(), { ...users('return'), output: 'raw' });
		expect(item).toMatchObject({ uid: 'mira' });
		expect(item).not.toHaveProperty('existed');
	});
});
