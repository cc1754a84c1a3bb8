import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { callTool, errorOf, itemsOf, useSandbox } from './harness';
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
			['GET', undefined],
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

	test('as a UID is refused with a UID made from it', async () => {
		const { message, description } = await errorOf(
			sandbox(),
			user('create', { uid: 'ann@example.com', name: 'Ann' }),
		);
		expect(message).toMatch(/^'User ID \(UID\)' can contain only letters/);
		expect(description).toContain(
			'It looks like an email address. As an ID, enter ann_example_com.',
		);
	});
});

test.each([
	[
		'user',
		user('get', { userId: "={{ $fromAI('User') }}" }),
		"'User' must be a UID, but this is a name. Get the UID with User → List.",
	],
	[
		'group',
		{ resource: 'group', operation: 'get', groupId: "={{ $fromAI('User') }}" },
		"'Group' must be a GUID, but this is a name. Get the GUID with Group → List.",
	],
])('A model that names a %s reads where to get the ID', async (_what, parameters, sentence) => {
	const [result] = await callTool(sandbox(), parameters, [{ User: 'Noor van Dalen' }]);
	expect(result).toContain(sentence);
	expect(sandbox().log).toEqual([]);
});
