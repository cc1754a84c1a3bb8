import type { INodeParameters } from 'n8n-workflow';

import { conversation, errorOf, jsonOf, refusalOf, useSandbox } from './harness';
import { json, withRecorder } from './recorder';

const sandbox = useSandbox();

const listOf = (onBehalfOf: string, more: INodeParameters = {}) =>
	conversation('list', { onBehalfOf, returnAll: true, ...more });

const markRead = (more: INodeParameters = {}) =>
	conversation('markRead', {
		...{ receiverType: 'group', groupId: 'makers', messageId: '126', onBehalfOf: 'noor' },
		...more,
	});

test('List returns the other side, the last message, and the number of unread messages', async () => {
	const rows = await jsonOf(sandbox(), listOf('Mira'));
	expect(rows.find(({ receiver }) => receiver === 'jonas')).toEqual({
		conversationId: 'mira_user_jonas',
		name: 'Jonas Wirt',
		unreadMessageCount: 1,
		sentAt: '2025-08-01T09:27:00Z',
		senderName: 'Jonas Wirt',
		text: 'Yes, all of them.',
		sender: 'jonas',
		receiver: 'jonas',
		receiverType: 'user',
		messageId: '102',
	});
	expect(rows.find(({ receiver }) => receiver === 'project-aurora')).toMatchObject({
		...{ name: 'Project Aurora', receiverType: 'group', unreadMessageCount: 2 },
		...{ sender: 'priya', messageId: '119' },
	});
	expect(Object.keys(rows[0])).toHaveLength(10);
});

test('List leaves out a deleted last message, but not its conversation', async () => {
	const message = sandbox().store.messages.get('102');
	if (message) message.deletedAt = message.sentAt;
	const rows = await jsonOf(sandbox(), listOf('mira'));
	expect(rows.find(({ receiver }) => receiver === 'jonas')).toMatchObject({
		...{ name: 'Jonas Wirt', sentAt: null, text: null, sender: null, messageId: null },
	});
});

test('Mark as Read takes the rows of List, whether they are groups or users', async () => {
	const unread = listOf('mira', { filters: { unread: true } });
	const rows = await jsonOf(sandbox(), unread);
	expect(new Set(rows.map(({ receiverType }) => receiverType))).toEqual(new Set(['group', 'user']));
	const parameters = conversation('markRead', {
		receiverType: '={{ $json.receiverType }}',
		groupId: '={{ $json.receiver }}',
		userId: '={{ $json.receiver }}',
		messageId: '={{ $json.messageId }}',
		onBehalfOf: 'mira',
	});
	const marked = await jsonOf(sandbox(), parameters, { input: rows });
	expect(marked).toEqual(
		rows.map(({ receiver, receiverType, messageId }) => ({
			...{ receiver, receiverType, messageId },
			...{ uid: 'mira', read: true },
		})),
	);
	expect(await jsonOf(sandbox(), unread)).toEqual([]);
	expect(sandbox().violations).toEqual([]);
});

test('Mark as Read leaves later messages unread, and the messages of other users', async () => {
	const countOf = async (uid: string) =>
		(await jsonOf(sandbox(), listOf(uid))).find(({ receiver }) => receiver === 'makers')
			?.unreadMessageCount;
	const before = [await countOf('noor'), await countOf('yuki')];
	await jsonOf(sandbox(), markRead({ messageId: '126' }));
	expect([await countOf('noor'), await countOf('yuki')]).toEqual([2, before[1]]);
	// Reading an older message changes nothing
	await jsonOf(sandbox(), markRead({ messageId: '124' }));
	expect(await countOf('noor')).toBe(2);
});

test('List returns each of 250 conversations once, also if CometChat names only the next page', async () => {
	const { store } = sandbox();
	sandbox().setSettings({ totalPages: 'next' });
	for (let n = 0; n < 250; n++) {
		store.people.create({ uid: `person-${n}`, name: `Person ${n}` });
		store.sendMessage({
			sender: `person-${n}`,
			receiver: 'carla',
			receiverType: 'user',
			text: 'Hi',
		});
	}
	const filters = { conversationType: 'user', unread: true };
	const rows = await jsonOf(sandbox(), listOf('carla', { filters, options: { perPage: 100 } }));
	const names = rows.map(({ name }) => String(name));
	expect(names.filter((name) => /^Person/.test(name))).toHaveLength(250);
	expect(new Set(names).size).toBe(names.length);
});

test.each([
	[{ unreadMessageCount: '12' }, { unreadMessageCount: 12 }],
	[{ unreadMessageCount: 3 }, { unreadMessageCount: 3 }],
	[{ unreadMessageCount: '' }, { unreadMessageCount: null }],
	[{}, { unreadMessageCount: null, text: null, messageId: null, name: null, receiver: null }],
	[
		{ lastMessage: null, conversationWith: { guid: 'a' } },
		{ receiver: 'a', sentAt: null },
	],
])('A conversation with %j is a row without errors', async (sent, expected) => {
	const data = [{ conversationId: 'group_a', conversationType: 'group', ...sent }];
	await withRecorder(
		(response) => json(response, 200, { data }),
		async (recorder) => {
			const rows = await jsonOf(recorder, listOf('mira', { returnAll: false, limit: 1 }));
			expect(rows).toEqual([expect.objectContaining({ receiverType: 'group', ...expected })]);
		},
	);
});

test.each(['success', 'receipt', 'empty'] as const)(
	'Mark as Read accepts the response with the setting readResponse %s, as the contract does',
	async (readResponse) => {
		sandbox().setSettings({ readResponse });
		expect(await jsonOf(sandbox(), markRead())).toMatchObject([{ uid: 'noor', read: true }]);
		expect(sandbox().violations).toEqual([]);
	},
);

test.each([{ data: {} }, {}, { success: true }, { data: { id: 5, readAt: 1_760_000_000 } }])(
	'Mark as Read accepts the confirmation %j',
	async (body) => {
		await withRecorder(
			(response) => json(response, 200, body),
			async (recorder) => {
				expect(await jsonOf(recorder, markRead())).toEqual([
					{
						...{ receiver: 'makers', receiverType: 'group', messageId: '126' },
						...{ uid: 'noor', read: true },
					},
				]);
			},
		);
	},
);

test.each([
	['WEB-1', '\'Message ID\' must be a number, but it is "WEB-1"'],
	['126, 127', "'Message ID' must be one ID"],
	['', "'Message ID' is empty"],
])(
	'Mark as Read refuses the message ID %j before it sends anything',
	async (messageId, expected) => {
		const parameters = markRead({ messageId: `={{ ${JSON.stringify(messageId)} }}` });
		expect((await refusalOf(sandbox(), parameters)).message).toContain(expected);
	},
);

test.each([
	[{ onBehalfOf: 'leo' }, 'This conversation does not exist for the user'],
	[{ messageId: '101' }, 'This conversation does not exist for the user'],
	[{ messageId: '999999' }, 'No message has this ID'],
	[{ groupId: 'nowhere' }, 'No group has this ID (GUID)'],
])('Mark as Read explains the refusal with %j', async (more, expected) => {
	const { message, description } = await errorOf(sandbox(), markRead(more));
	expect(message).toBe(expected);
	expect(description).toMatch(/^Check '/);
});
