import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { callTool, group, itemsOf, jsonOf, message, refusalOf, user, useSandbox } from './harness';
import { anything, readBody, withRecorder } from './recorder';

const sandbox = useSandbox();

afterEach(() => expect(sandbox().violations).toEqual([]));

const TO_ALL = { receiverType: 'group', receiver: 'all-hands' };

const media = (...attachment: INodeParameters[]) => ({
	groupId: 'all-hands',
	messageType: 'media',
	mediaType: 'file',
	attachments: { attachment },
});

const custom = (customData: string) => ({
	groupId: 'all-hands',
	messageType: 'custom',
	customType: 'location',
	customData,
});

test.each<[string, INodeParameters, object]>([
	[
		'a text message to a user',
		{ receiverType: 'user', userId: 'leo', text: ' spaces stay ' },
		{
			...{ receiverType: 'user', receiver: 'leo', category: 'message', type: 'text' },
			data: { text: ' spaces stay ' },
		},
	],
	[
		'files with a caption',
		{
			...media(
				{ url: 'https://example.com/a.pdf', name: 'a.pdf', size: '={{ 20480 }}', mimeType: '' },
				{ url: 'https://example.com/b.pdf', extension: 'pdf' },
			),
			caption: 'Two files',
		},
		{
			...{ ...TO_ALL, category: 'message', type: 'file' },
			data: {
				attachments: [
					{ url: 'https://example.com/a.pdf', name: 'a.pdf', size: '20480' },
					{ url: 'https://example.com/b.pdf', extension: 'pdf' },
				],
				text: 'Two files',
			},
		},
	],
	[
		'custom data',
		custom('={{ ({ lat: 52.5, nested: { list: [1, null, "ü"] } }) }}'),
		{
			...{ ...TO_ALL, category: 'custom', type: 'location' },
			data: { customData: { lat: 52.5, nested: { list: [1, null, 'ü'] } } },
		},
	],
])('Send Message sends %s', async (_, parameters, body) => {
	await withRecorder(anything, async (recorder) => {
		await itemsOf(recorder, message('send', parameters));
		expect(recorder.requests.map(readBody)).toEqual([body]);
	});
});

test('Send Message sends up to 65,536 characters', async () => {
	const text = (length: number) => message('send', { groupId: 'lunch', text: 'x'.repeat(length) });
	const error = await refusalOf(sandbox(), text(65_537));
	expect(error.message).toMatch(/^'Text' is longer than 65536 characters/);
	expect(await itemsOf(sandbox(), text(65_536))).toHaveLength(1);
});

test.each<[string, INodeParameters, string]>([
	['no attachments', media(), "'Attachments' is empty, and so is 'Caption'"],
	[
		'an attachment without a URL',
		media({ url: '={{ "" }}' }),
		"'Attachments' is empty, and so is 'Caption'",
	],
	['empty custom data', custom('={{ ({}) }}'), "'Custom Data' is empty"],
])('Send Message rejects %s, and sends nothing', async (_, parameters, expected) => {
	const error = await refusalOf(sandbox(), message('send', parameters));
	expect(error.message).toBe(expected);
});

test('Create Group sends the password only for a group of type Password', async () => {
	const parameters = group('create', {
		guid: ' Lamp-Club ',
		name: 'Lamp Club',
		type: '={{ $json.type }}',
		password: '={{ "secret" }}',
	});
	await withRecorder(anything, async (recorder) => {
		const input = [{ type: 'password' }, { type: 'private' }];
		await itemsOf(recorder, parameters, { input });
		const common = { guid: 'Lamp-Club', name: 'Lamp Club' };
		expect(recorder.requests.map(readBody)).toEqual(
			expect.arrayContaining([
				{ ...common, type: 'password', password: 'secret' },
				{ ...common, type: 'private' },
			]),
		);
	});
});

const updateGroup = (updateFields: INodeParameters) =>
	group('update', { groupId: 'all-hands', updateFields });

const updateMessage = (updateFields: INodeParameters) =>
	message('update', { messageId: '101', updateFields });

const updateUser = (updateFields: INodeParameters) =>
	user('update', { userId: 'mira', updateFields });

test.each<[string, INodeParameters, object]>([
	[
		'a group',
		updateGroup({ description: '={{ "" }}', icon: ' ', metadata: '', tags: '={{ [] }}' }),
		{ unset: ['description', 'icon', 'metadata'], tags: [] },
	],
	['a message', updateMessage({ tags: [] }), { tags: [] }],
	[
		'a user',
		updateUser({ avatar: '', link: '', metadata: '', tags: [] }),
		{ unset: ['avatar', 'link', 'metadata'], tags: [] },
	],
	[
		'a group whose expressions return null',
		updateGroup({ description: '={{ null }}', tags: '={{ null }}' }),
		{ unset: ['description'], tags: [] },
	],
	[
		"a group once, including fields of 'Fields to Clear'",
		updateGroup({ description: '', owner: 'leo', unset: ['icon', 'description'] }),
		{ owner: 'leo', unset: ['description', 'icon'] },
	],
])('An Update clears emptied fields of %s', async (_, parameters, body) => {
	await withRecorder(anything, async (recorder) => {
		await itemsOf(recorder, parameters);
		const { unset, ...sent } = readBody(recorder.requests[0]);
		expect({ ...sent, ...(unset ? { unset: [unset].flat().sort() } : {}) }).toEqual(body);
	});
});

test.each<[string, INodeParameters]>([
	['field', updateGroup({})],
	['unknown field', updateGroup({ color: 'red' })],
	['Name', updateGroup({ name: '' })],
	['Text', updateMessage({ text: '' })],
	['Name', updateUser({ name: '' })],
	['Role', updateUser({ role: '' })],
	['Status Message', updateUser({ statusMessage: '' })],
])('An Update of only an empty %s changes nothing, so nothing is sent', async (_, parameters) => {
	expect((await refusalOf(sandbox(), parameters)).message).toBe("'Update Fields' is empty");
});

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
	await withRecorder(anything, async (recorder) => {
		await itemsOf(recorder, createAnn(fields));
		expect(recorder.requests.map((request) => readBody(request).metadata)).toEqual([
			{ ...metadata, '@private': PRIVATE },
		]);
	});
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

test.each(['deactivate', 'reactivate'])(
	'User %s names a user who does not exist',
	async (operation) => {
		const [row] = await jsonOf(sandbox(), user(operation, { userId: 'nobody-here' }));
		expect(row).toMatchObject({ uid: 'nobody-here', notFound: true });
	},
);
