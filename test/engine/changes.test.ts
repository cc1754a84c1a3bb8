import type { INodeParameters } from 'n8n-workflow';

import { errorOf, itemsOf, jsonOf, useSandbox, message, group } from './harness';
import { anything, withRecorder } from './recorder';

const sandbox = useSandbox();

afterEach(() => expect(sandbox().violations).toEqual([]));

const SENT: Array<[string, INodeParameters, object]> = [
	[
		'a text to a user',
		{ receiverType: 'user', userId: 'leo', text: ' spaces stay ' },
		{
			receiverType: 'user',
			receiver: 'leo',
			category: 'message',
			type: 'text',
			data: { text: ' spaces stay ' },
		},
	],
	[
		'files with a caption',
		{
			groupId: 'all-hands',
			messageType: 'media',
			mediaType: 'file',
			attachments: {
				attachment: [
					{ url: 'https://example.com/a.pdf', name: 'a.pdf', size: '={{ 20480 }}', mimeType: '' },
					{ url: 'https://example.com/b.pdf', extension: 'pdf' },
				],
			},
			caption: 'Two files',
		},
		{
			receiverType: 'group',
			receiver: 'all-hands',
			category: 'message',
			type: 'file',
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
		{
			groupId: 'all-hands',
			messageType: 'custom',
			customType: 'location',
			customData: '={{ ({ lat: 52.5, nested: { list: [1, null, "ü"] } }) }}',
		},
		{
			receiverType: 'group',
			receiver: 'all-hands',
			category: 'custom',
			type: 'location',
			data: { customData: { lat: 52.5, nested: { list: [1, null, 'ü'] } } },
		},
	],
];

describe('Send', () => {
	test.each(SENT)('sends %s', async (_, parameters, body) => {
		const send = message('send', parameters);
		await withRecorder(anything, async (recorder) => {
			await itemsOf(recorder, send);
			expect(JSON.parse(recorder.requests[0].body ?? '')).toEqual(body);
		});
		const [sent] = await jsonOf(sandbox(), send);
		expect(sandbox().store.messages.get(String(sent.id))).toMatchObject({ sender: 'app_system' });
	});

	test('sends in the name of a user', async () => {
		const parameters = message('send', { groupId: 'all-hands', text: 'x', onBehalfOf: 'mira' });
		expect(await jsonOf(sandbox(), parameters)).toMatchObject([{ sender: 'mira' }]);
	});

	test('sends 65,536 characters, and refuses more', async () => {
		const text = (length: number) =>
			message('send', { groupId: 'lunch', text: 'x'.repeat(length) });
		expect(await itemsOf(sandbox(), text(65_536))).toHaveLength(1);
		const { message: said } = await errorOf(sandbox(), text(65_537));
		expect(said).toMatch(/^'Text' is longer than 65536 characters/);
	});

	test.each<[string, INodeParameters, string]>([
		['no group', { groupId: '={{ "" }}', text: 'x' }, "'Group' is empty"],
		['no text', { groupId: 'lunch', text: '={{ " " }}' }, "'Text' is empty"],
		[
			'no attachment',
			{ groupId: 'lunch', messageType: 'media', attachments: { attachment: [] } },
			"'Attachments' is empty",
		],
		[
			'an attachment without an address',
			{
				groupId: 'lunch',
				messageType: 'media',
				attachments: { attachment: [{ url: '={{ "" }}' }] },
			},
			"'URL' is empty",
		],
		[
			'custom data without an entry',
			{ groupId: 'lunch', messageType: 'custom', customType: 'x', customData: '={{ ({}) }}' },
			"'Custom Data' has no entry",
		],
		[
			'custom data that is not JSON',
			{ groupId: 'lunch', messageType: 'custom', customType: 'x', customData: '={{ "{a" }}' },
			"'Custom Data' is not valid JSON",
		],
	])('refuses %s before anything is sent', async (_, parameters, expected) => {
		const error = await errorOf(sandbox(), message('send', parameters));
		expect(error.message.startsWith(expected)).toBe(true);
		expect(sandbox().log).toEqual([]);
	});
});

describe('Changes of a group', () => {
	test('a group with a password is created, and the password is sent only then', async () => {
		const parameters = group('create', {
			guid: ' Lamp-Club ',
			name: 'Lamp Club',
			type: '={{ $json.type }}',
			password: '={{ "secret" }}',
		});
		await withRecorder(anything, async (recorder) => {
			const input = [{ type: 'password' }, { type: 'private' }];
			await itemsOf(recorder, parameters, { input });
			const bodies = recorder.requests.map(({ body }) => JSON.parse(body ?? ''));
			const common = { guid: 'Lamp-Club', name: 'Lamp Club' };
			expect(bodies).toEqual(
				expect.arrayContaining([
					{ ...common, type: 'password', password: 'secret' },
					{ ...common, type: 'private' },
				]),
			);
		});
	});

	test('fields are changed, and others taken away', async () => {
		const parameters = group('update', {
			groupId: 'all-hands',
			updateFields: {
				description: 'New',
				tags: ['a', 'b,c'],
				unset: ['metadata'],
				owner: 'leo',
			},
		});
		await withRecorder(anything, async (recorder) => {
			await itemsOf(recorder, parameters);
			expect(JSON.parse(recorder.requests[0].body ?? '')).toEqual({
				description: 'New',
				tags: ['a', 'b,c'],
				unset: ['metadata'],
				owner: 'leo',
			});
		});
		const [changed] = await jsonOf(sandbox(), { ...parameters, output: 'raw' });
		expect(changed).toMatchObject({ description: 'New', tags: ['a', 'b,c'], owner: 'leo' });
	});

	test.each<[string, INodeParameters, string]>([
		['nothing to change', { updateFields: {} }, "'Update Fields' is empty"],
		[
			'the type Password without one',
			{ updateFields: { type: 'password' } },
			"'Password' is empty",
		],
		[
			'nothing but a field that n8n drops, as it does not know it',
			{ updateFields: { color: 'red' } },
			"'Update Fields' is empty",
		],
	])('%s is refused before anything is sent', async (_, more, expected) => {
		const parameters = group('update', { groupId: 'all-hands', ...more });
		const error = await errorOf(sandbox(), parameters);
		expect(error.message.startsWith(expected)).toBe(true);
		expect(sandbox().log).toEqual([]);
	});
});

describe('Members of a group', () => {
	test.each(['action', 'success'] as const)(
		'who is banned or may come back is told, whatever CometChat answers: %s',
		async (banResponse) => {
			sandbox().setSettings({ banResponse });
			const member = { groupId: 'watercooler', userId: 'leo', output: 'simplified' };
			const told = { guid: 'watercooler', uid: 'leo' };
			expect(await jsonOf(sandbox(), group('banMember', member))).toEqual([
				{ ...told, banned: true },
			]);
			expect(await jsonOf(sandbox(), group('unbanMember', member))).toEqual([
				{ ...told, banned: false },
			]);
		},
	);

	test('a new group names each of its first members who could not be added', async () => {
		const participants = ['nobody', 'no-one', 'mira'];
		const additionalFields = { owner: 'mira', admins: ['leo', 'mira'], participants };
		const parameters = { guid: 'club', name: 'Club', additionalFields, output: 'simplified' };
		const [{ membersCount, membersNotAdded }] = await jsonOf(
			sandbox(),
			group('create', parameters),
		);
		expect(membersCount).toBe(2);
		expect(membersNotAdded).toEqual([
			'The UID nobody does not exist (ERR_UID_NOT_FOUND)',
			'The UID no-one does not exist (ERR_UID_NOT_FOUND)',
			'The owner mira stays an admin of the group (ERR_GROUP_OWNER_DEMOTE_FORBIDDEN)',
		]);
	});
});

describe('Delete Message', () => {
	test.each(['action', 'success'] as const)(
		'for good returns that it was deleted, whatever the service sends: %s',
		async (permanentResponse) => {
			sandbox().setSettings({ permanentResponse });
			const parameters = message('delete', {
				messageId: '101',
				permanent: true,
				output: 'simplified',
			});
			const [deleted] = await jsonOf(sandbox(), parameters);
			expect(deleted).toMatchObject({ id: '101', deleted: true });
			expect(sandbox().store.messages.get('101')).toBeUndefined();
		},
	);

	test('keeps the message, marked as deleted, otherwise', async () => {
		sandbox().setSettings({ permanentDefault: true });
		const parameters = message('delete', { messageId: '101', output: 'simplified' });
		const [deleted] = await jsonOf(sandbox(), parameters);
		expect(deleted).toMatchObject({ id: '101', deleted: true, deletedBy: 'app_system' });
		expect(sandbox().store.messages.get('101')?.deletedAt).toBeDefined();
	});
});

describe('Update Message', () => {
	test('returns simplified the message that was changed, not the note about it', async () => {
		const parameters = message('update', {
			messageId: '101',
			updateFields: { text: 'New text', metadata: '{"a": 1}' },
			output: 'simplified',
		});
		expect(await jsonOf(sandbox(), parameters)).toMatchObject([
			{ id: '101', text: 'New text', type: 'text' },
		]);
	});
});
