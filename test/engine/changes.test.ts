import type { INodeParameters } from 'n8n-workflow';

import type { Settings } from '../../sandbox/server';
import { NODE, errorOf, itemsOf, jsonOf, run, useSandbox } from './harness';
import { WAYS } from './operations';
import { anything, withRecorder } from './recorder';

const sandbox = useSandbox();

afterEach(() => expect(sandbox().violations).toEqual([]));

const message = (operation: string, more: INodeParameters): INodeParameters => ({
	resource: 'message',
	operation,
	...more,
});

const group = (operation: string, more: INodeParameters): INodeParameters => ({
	resource: 'group',
	operation,
	...more,
});

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

describe.each(WAYS)('Send, through %s,', (_, settings) => {
	test.each(SENT)('sends %s', async (__, parameters, body) => {
		const send = message('send', parameters);
		await withRecorder(anything, async (recorder) => {
			await itemsOf(recorder, send, { settings });
			expect(JSON.parse(recorder.requests[0].body ?? '')).toEqual(body);
		});
		const [sent] = await jsonOf(sandbox(), send, { settings });
		expect(sandbox().store.message(String(sent.id))).toMatchObject({ sender: 'app_system' });
	});

	test('sends in the name of a user', async () => {
		const parameters = message('send', { groupId: 'all-hands', text: 'x', onBehalfOf: 'mira' });
		expect(await jsonOf(sandbox(), parameters, { settings })).toMatchObject([{ sender: 'mira' }]);
	});

	test('sends 65,536 characters, and refuses more', async () => {
		const text = (length: number) =>
			message('send', { groupId: 'lunch', text: 'x'.repeat(length) });
		expect(await itemsOf(sandbox(), text(65_536), { settings })).toHaveLength(1);
		const { message: said } = await errorOf(sandbox(), text(65_537), { settings });
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
	])('refuses %s before anything is sent', async (__, parameters, expected) => {
		const error = await errorOf(sandbox(), message('send', parameters), { settings });
		expect(error.message.startsWith(expected)).toBe(true);
		expect(sandbox().log).toEqual([]);
	});
});

describe.each(WAYS)('Changes of a group, through %s:', (_, settings) => {
	test('a group with a password is created, and the password is sent only then', async () => {
		const parameters = group('create', {
			guid: ' Lamp-Club ',
			name: 'Lamp Club',
			type: '={{ $json.type }}',
			password: '={{ "secret" }}',
		});
		await withRecorder(anything, async (recorder) => {
			const input = [{ type: 'password' }, { type: 'private' }];
			await itemsOf(recorder, parameters, { input, settings });
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
			await itemsOf(recorder, parameters, { settings });
			expect(JSON.parse(recorder.requests[0].body ?? '')).toEqual({
				description: 'New',
				tags: ['a', 'b,c'],
				unset: ['metadata'],
				owner: 'leo',
			});
		});
		const [changed] = await jsonOf(sandbox(), parameters, { settings });
		expect(changed).toMatchObject({ description: 'New', tags: ['a', 'b,c'], owner: 'leo' });
	});

	test.each<[string, INodeParameters, string]>([
		['nothing to change', { updateFields: {} }, "'Update Fields' is empty"],
		['an empty name', { updateFields: { name: '={{ " " }}' } }, "'Name' is empty"],
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
	])('%s is refused before anything is sent', async (__, more, expected) => {
		const parameters = group('update', { groupId: 'all-hands', ...more });
		const error = await errorOf(sandbox(), parameters, { settings });
		expect(error.message.startsWith(expected)).toBe(true);
		expect(sandbox().log).toEqual([]);
	});
});

describe.each(WAYS)('Add Members, through %s,', (_, settings) => {
	const add = (uids: INodeParameters[string], more: INodeParameters = {}) =>
		group('addMembers', { groupId: 'project-aurora', uids, ...more });

	test('sends any number, 25 at a time, each UID once', async () => {
		const uids = Array.from({ length: 60 }, (__, index) => `user-${index}`);
		await withRecorder(anything, async (recorder) => {
			const parameters = add('={{ $json.uids }}', { scope: 'admin' });
			const input = [{ uids: [...uids, 'user-0', ' user-1 '] }];
			await run(recorder, parameters, { input, settings, onError: 'continueRegularOutput' });
			const bodies = recorder.requests.map(({ body }) => JSON.parse(body ?? '') as object);
			expect(bodies).toEqual([
				{ admins: uids.slice(0, 25) },
				{ admins: uids.slice(25, 50) },
				{ admins: uids.slice(50) },
			]);
		});
	});

	const FORMS: Array<[Settings['memberError']]> = [['object'], ['nested'], ['text']];

	test.each(FORMS)('returns an item for each UID, also for who failed: %s', async (memberError) => {
		sandbox().setSettings({ memberError });
		const result = await run(sandbox(), add(['noor', 'nobody', 'Felix', 'mira']), {
			settings,
			onError: 'continueRegularOutput',
		});
		const code = (text: string) => (memberError === 'text' ? '' : ` (${text})`);
		expect(result.items(NODE)).toEqual(
			[
				{ uid: 'noor', scope: 'participant', success: true },
				{
					uid: 'nobody',
					scope: 'participant',
					success: false,
					error: expect.stringMatching(/^The UID nobody does not exist/),
				},
				{ uid: 'Felix', scope: 'participant', success: true },
				{
					uid: 'mira',
					scope: 'participant',
					success: false,
					error: expect.stringContaining(`already joined the group`),
				},
			].map((json) => ({ json, pairedItem: { item: 0 } })),
		);
		expect(String(result.items(NODE)[1].json.error)).toContain(code('ERR_UID_NOT_FOUND'));
		expect(
			sandbox()
				.store.group('project-aurora')
				?.members.map(({ uid }) => uid),
		).toEqual(expect.arrayContaining(['noor', 'felix']));
	});

	test('sends who failed to the error output', async () => {
		const result = await run(sandbox(), add(['noor', 'nobody']), {
			input: [{ keep: 'me' }],
			settings,
			onError: 'continueErrorOutput',
		});
		expect(result.items(NODE)).toMatchObject([{ json: { uid: 'noor', success: true } }]);
		expect(result.items(NODE, 1)).toMatchObject([
			{
				json: { keep: 'me', error: expect.stringMatching(/^nobody: The UID nobody does not/) },
				pairedItem: { item: 0 },
			},
		]);
	});

	test('ends with an error that counts and names who failed', async () => {
		const error = await errorOf(sandbox(), add(['noor', 'nobody', 'mira']), { settings });
		expect(error.message).toMatch(/^2 of 3 users could not be added/);
		expect(error.description).toMatch(/^nobody: .*; mira: .*\./);
	});

	test('says what succeeded before a part failed', async () => {
		const uids = Array.from({ length: 30 }, (__, index) => `user-${index}`);
		sandbox().setFaults([{ match: { nth: [2] }, effect: { cutAfter: true } }]);
		const result = await run(sandbox(), add('={{ $json.uids }}'), {
			input: [{ uids }],
			settings,
			onError: 'continueRegularOutput',
		});
		const items = result.items(NODE);
		expect(items).toHaveLength(26);
		expect(items[25].json.error).toMatch(
			/^CometChat may already have added the members\. Check the members of the group before you run this item again\./,
		);
	});
});

describe.each(WAYS)('Delete Message, through %s,', (_, settings) => {
	test.each(['action', 'success'] as const)(
		'for good returns that it was deleted, whatever the service sends: %s',
		async (permanentResponse) => {
			sandbox().setSettings({ permanentResponse });
			const parameters = message('delete', {
				messageId: '101',
				permanent: true,
				output: 'simplified',
			});
			const [deleted] = await jsonOf(sandbox(), parameters, { settings });
			expect(deleted).toMatchObject({ id: '101', deleted: true });
			expect(sandbox().store.message('101')).toBeUndefined();
		},
	);

	test('keeps the message, marked as deleted, otherwise', async () => {
		sandbox().setSettings({ permanentDefault: true });
		const parameters = message('delete', { messageId: '101', output: 'simplified' });
		const [deleted] = await jsonOf(sandbox(), parameters, { settings });
		expect(deleted).toMatchObject({ id: '101', deleted: true, deletedBy: 'app_system' });
		expect(sandbox().store.message('101')?.deletedAt).toBeDefined();
	});
});

describe.each(WAYS)('Update Message, through %s,', (_, settings) => {
	test('returns simplified the message that was changed, not the note about it', async () => {
		const parameters = message('update', {
			messageId: '101',
			updateFields: { text: 'New text', metadata: '{"a": 1}' },
			output: 'simplified',
		});
		expect(await jsonOf(sandbox(), parameters, { settings })).toMatchObject([
			{ id: '101', text: 'New text', type: 'text' },
		]);
	});

	test.each<[string, INodeParameters, string]>([
		['nothing to change', {}, "'Update Fields' is empty"],
		['an empty text', { text: '={{ "" }}' }, "'Text' is empty"],
	])('refuses %s', async (__, updateFields, expected) => {
		const parameters = message('update', { messageId: '101', updateFields });
		const error = await errorOf(sandbox(), parameters, { settings });
		expect(error.message.startsWith(expected)).toBe(true);
		expect(sandbox().log).toEqual([]);
	});
});
