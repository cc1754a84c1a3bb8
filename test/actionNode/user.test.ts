import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { callTool, group, itemsOf, refusalOf, user, useSandbox } from './harness';

const sandbox = useSandbox();

const createAnn = (additionalFields: INodeParameters) =>
	user('create', { uid: 'ann', name: 'Ann', additionalFields });

const PRIVATE = { email: 'ann@example.com', contactNumber: '+49 151' };

const CONTACT = { email: PRIVATE.email, phone: PRIVATE.contactNumber };

test.each<[string, INodeParameters, object]>([
	['before metadata', { ...CONTACT, metadata: '{}' }, {}],
	['after metadata', { metadata: '{"plan": 1}', ...CONTACT }, { plan: 1 }],
	[
		'next to private metadata',
		{ phone: CONTACT.phone, metadata: `{"@private": {"email": "${PRIVATE.email}"}}` },
		{},
	],
])('Email and phone %s are sent in private metadata', async (_, fields, metadata) => {
	const bodies: unknown[] = [];
	await itemsOf(sandbox(), createAnn(fields), { onRequest: ({ body }) => void bodies.push(body) });
	expect(bodies).toEqual([
		expect.objectContaining({ metadata: { ...metadata, '@private': PRIVATE } }),
	]);
});

test('Merging metadata does not change the input item', async () => {
	const input: IDataObject[] = [{ metadata: { '@private': { a: 1 } } }];
	const before = structuredClone(input);
	const updateFields = { metadata: '={{ $json.metadata }}', email: PRIVATE.email };
	await itemsOf(sandbox(), user('update', { userId: 'mira', updateFields }), { input });
	expect(sandbox().store.people.user('mira').metadata).toMatchObject({
		'@private': { a: 1, email: PRIVATE.email },
	});
	expect(input).toEqual(before);
});

test('An email address as a UID is rejected, and the error suggests a UID', async () => {
	const parameters = user('create', { uid: 'ann@example.com', name: 'Ann' });
	const { message, description } = await refusalOf(sandbox(), parameters);
	expect(message).toMatch(/^'User ID \(UID\)' can contain only letters/);
	expect(description).toContain('It looks like an email address. For the ID, use ann_example_com.');
});

test.each([
	[
		user('get', { userId: "={{ $fromAI('User') }}" }),
		'\'User\' must be a UID, but "Noor van Dalen" is a name. Get the UID with User → List.',
	],
	[
		group('get', { groupId: "={{ $fromAI('User') }}" }),
		'\'Group\' must be a GUID, but "Noor van Dalen" is a name. Get the GUID with Group → List.',
	],
])('An agent that passes a name as an ID receives advice: %j', async (parameters, advice) => {
	const [output] = await callTool(sandbox(), parameters, [{ User: 'Noor van Dalen' }]);
	expect(output).toContain(advice);
	expect(sandbox().log).toEqual([]);
});
