import type { INodeParameters } from 'n8n-workflow';

import { group, itemsOf, jsonOf, message, refusalOf, useSandbox } from './harness';
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

describe('Send Message', () => {
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
	])('sends %s', async (_, parameters, body) => {
		const send = message('send', parameters);
		await withRecorder(anything, async (recorder) => {
			await itemsOf(recorder, send);
			expect(readBody(recorder.requests[0])).toEqual(body);
		});
		const [sent] = await jsonOf(sandbox(), send);
		expect(sandbox().store.messages.get(String(sent.id))).toMatchObject({ sender: 'app_system' });
	});

	test.each<[string, INodeParameters, string]>([
		['no attachments', media(), "'Attachments' is empty"],
		['an attachment without a URL', media({ url: '={{ "" }}' }), "'URL' is empty"],
		['empty custom data', custom('={{ ({}) }}'), "'Custom Data' is empty"],
	])('rejects %s, and sends nothing', async (_, parameters, expected) => {
		const error = await refusalOf(sandbox(), message('send', parameters));
		expect(error.message).toBe(expected);
	});
});

describe('Create Group', () => {
	test('sends the password only for a group of type Password', async () => {
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

	test('returns a reason for each member who could not be added', async () => {
		const participants = ['nobody', 'no-one', 'mira'];
		const additionalFields = { owner: 'mira', admins: ['leo', 'mira'], participants };
		const parameters = group('create', { guid: 'club', name: 'Club', additionalFields });
		expect(await jsonOf(sandbox(), parameters)).toMatchObject([
			{
				membersCount: 2,
				membersNotAdded: [
					expect.stringMatching(/^The UID nobody does not exist.*\(ERR_UID_NOT_FOUND\)$/),
					expect.stringMatching(/^The UID no-one does not exist.*\(ERR_UID_NOT_FOUND\)$/),
					'The owner mira stays an admin of the group (ERR_GROUP_OWNER_DEMOTE_FORBIDDEN)',
				],
			},
		]);
	});
});

describe('Update Group', () => {
	test('changes fields and clears others', async () => {
		const updateFields = { description: 'New', tags: ['a', 'b,c'], owner: 'leo' };
		const parameters = group('update', {
			groupId: 'all-hands',
			updateFields: { ...updateFields, unset: ['metadata'] },
		});
		await withRecorder(anything, async (recorder) => {
			await itemsOf(recorder, parameters);
			expect(readBody(recorder.requests[0])).toEqual({ ...updateFields, unset: ['metadata'] });
		});
		const [changed] = await jsonOf(sandbox(), { ...parameters, output: 'raw' });
		expect(changed).toMatchObject(updateFields);
	});

	test.each<[string, INodeParameters, string]>([
		['no fields', {}, "'Update Fields' is empty"],
		['only an unknown field', { color: 'red' }, "'Update Fields' is empty"],
	])('rejects %s, and sends nothing', async (_, updateFields, expected) => {
		const parameters = group('update', { groupId: 'all-hands', updateFields });
		expect((await refusalOf(sandbox(), parameters)).message).toBe(expected);
	});
});

test.each(['action', 'success'] as const)(
	'Ban Member and Unban Member return the user if CometChat responds with: %s',
	async (banResponse) => {
		sandbox().setSettings({ banResponse });
		const member = { groupId: 'watercooler', userId: 'leo' };
		for (const [operation, banned] of [
			['banMember', true],
			['unbanMember', false],
		] as const) {
			expect(await jsonOf(sandbox(), group(operation, member))).toEqual([
				{ guid: 'watercooler', uid: 'leo', banned },
			]);
		}
	},
);

test.each(['action', 'success'] as const)(
	'Delete Message removes a message permanently if CometChat responds with: %s',
	async (permanentResponse) => {
		sandbox().setSettings({ permanentResponse });
		const parameters = message('delete', { messageId: '101', permanent: true });
		expect(await jsonOf(sandbox(), parameters)).toMatchObject([{ id: '101', deleted: true }]);
		expect(sandbox().store.messages.get('101')).toBeUndefined();
	},
);

test('Delete Message keeps the message, marked as deleted, by default', async () => {
	sandbox().setSettings({ permanentDefault: true });
	expect(await jsonOf(sandbox(), message('delete', { messageId: '101' }))).toMatchObject([
		{ id: '101', deleted: true, deletedBy: 'app_system' },
	]);
	expect(sandbox().store.messages.get('101')?.deletedAt).toBeDefined();
});

test('Update Message returns the changed message instead of the action message', async () => {
	const updateFields = { text: 'New text', metadata: '{"a": 1}' };
	const parameters = message('update', { messageId: '101', updateFields });
	expect(await jsonOf(sandbox(), parameters)).toMatchObject([
		{ id: '101', text: 'New text', type: 'text' },
	]);
});
