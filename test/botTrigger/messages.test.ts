import type { INodeParameters } from 'n8n-workflow';

import type { Instance } from '../../tools/n8nEngine/activation';
import type { NewMessage } from '../../tools/sandbox/store/messages';
import { listFields } from '../fieldList';
import { activate, post as postEvent } from '../webhookTrigger/harness';
import {
	botWorkflow,
	itemsOf,
	loginHeader,
	post,
	readBot,
	relay,
	startN8n,
	textsOf,
	useBotSandbox,
	writeToBot,
} from './harness';

const sandbox = useBotSandbox();

async function publish(parameters: INodeParameters = {}) {
	const n8n = await startN8n();
	await n8n.publish(botWorkflow(parameters));
	const header = loginHeader(readBot() ?? {});
	const url = `${n8n.url}/webhook/hook-w1/webhook`;
	const deliver = async (body: object) => {
		const status = await post(url, body, header);
		await n8n.idle();
		return status;
	};
	return Object.assign(n8n, { deliver });
}

/** Waits until CometChat has relayed all messages, and n8n has started their executions. */
async function settle(n8n: Instance): Promise<void> {
	await sandbox().webhooks.idle();
	// The node responds before n8n starts the execution
	await n8n.idle();
}

const send = (fields: Partial<NewMessage>) =>
	sandbox().store.sendMessage({ sender: 'mira', receiver: 'all-hands', text: 'Hi', ...fields });

test('a private message and a mention become rows that say where to answer', async () => {
	const n8n = await publish();
	const { id } = send({ receiver: 'reminder-bot', receiverType: 'user', text: 'Hello' });
	send({ text: 'Not for the bot' });
	send({ text: 'Hey <@uid:reminder-bot>', parentId: '109' });
	await settle(n8n);
	const [first, second, ...others] = itemsOf(n8n);
	expect(first).toEqual({
		...{ id, sentAt: expect.any(String), senderName: 'Mira Halden', text: 'Hello' },
		...{ sender: 'mira', parentId: null, attachments: null },
		...{ replyTo: 'mira', replyToType: 'user', bot: 'reminder-bot' },
		...{ chatInput: 'Hello', sessionId: `${sandbox().appId}:reminder-bot:user:mira` },
	});
	expect(Object.keys(first)).toEqual(
		'id sentAt senderName text sender parentId attachments replyTo replyToType bot chatInput sessionId'.split(
			' ',
		),
	);
	expect(second).toMatchObject({
		...{ replyTo: 'all-hands', replyToType: 'group', parentId: '109', text: 'Hey' },
		chatInput: 'Mira Halden: Hey',
		sessionId: `${sandbox().appId}:reminder-bot:thread:109`,
	});
	expect(others).toEqual([]);
});

test.each([
	['none', []],
	['slashedMessages', ['/help']],
	['allMessages', ['Hi', '/help']],
])(
	'with Group Messages %s, group messages start the workflow: %j',
	async (groupMessages, texts) => {
		const n8n = await publish({ groupMessages });
		send({ text: 'Hi' });
		send({ text: '/help' });
		await settle(n8n);
		expect(textsOf(n8n)).toEqual(texts);
	},
);

test('a repeated message starts the workflow once, and an equal message with another ID again', async () => {
	const n8n = await publish();
	const statuses = [await n8n.deliver(relay()), await n8n.deliver(relay())];
	expect([...statuses, await n8n.deliver(relay({ id: '902' }))]).toEqual([200, 200, 200]);
	expect(n8n.executions).toHaveLength(2);
});

const IN_GROUP = { receiverType: 'group', receiver: 'All-hands' };

/** A message that the operation Answer sent in another n8n. */
const ANSWER = { data: { text: 'Hi', metadata: { n8nAnswer: true } } };

test.each<[string, object, INodeParameters, boolean]>([
	['the bot itself', { sender: 'Reminder-Bot' }, {}, false],
	['somebody to another user', { receiver: 'leo' }, {}, false],
	['an ignored user', {}, { ignoreUsers: ['Mira'] }, false],
	['an ignored user in Only From', {}, { ignoreUsers: ['mira'], onlySenders: ['mira'] }, false],
	['a user who is not ignored', {}, { ignoreUsers: ['leo'] }, true],
	['a group', IN_GROUP, {}, true],
	['a group in Only in Groups', IN_GROUP, { groupIds: ['All-Hands'] }, true],
	['a group that is not in Only in Groups', IN_GROUP, { groupIds: ['makers'] }, false],
	['a user', {}, { groupIds: ['makers'] }, true],
	['a bot that answers', ANSWER, {}, false],
	['a bot that answers, in Only From', ANSWER, { onlySenders: ['mira'] }, true],
	['a bot that answers, not in Only From', ANSWER, { onlySenders: ['leo'] }, false],
	['the app itself', { sender: 'app_system' }, {}, false],
	['the app itself', { sender: 'app_system' }, { onlySenders: ['app_system'] }, true],
	['a user in Only From', { sender: 'MIRA' }, { onlySenders: ['Mira'] }, true],
	['a user who is not in Only From', {}, { onlySenders: ['leo'] }, false],
	['an action', { category: 'action' }, {}, false],
	['an action', { category: 'action' }, { includeActions: true }, true],
])(
	'a message of %s (%j) with %j starts the workflow: %s',
	async (_name, message, options, starts) => {
		const n8n = await publish({ options });
		expect(await n8n.deliver(relay(message))).toBe(200);
		expect(n8n.executions).toHaveLength(starts ? 1 : 0);
	},
);

test.each([
	['<@uid:reminder-bot> /help me', '/help me'],
	['/help <@uid:Reminder-Bot>', '/help'],
	['Where is it, <@uid:reminder-bot>?', 'Where is it,?'],
	['Hi <@uid:reminder-bot>, ask <@uid:leo> or <@all:all>', 'Hi, ask <@uid:leo> or <@all:all>'],
	['  one\n<@uid:reminder-bot>\ntwo <@uid:reminder-bot> ', 'one\ntwo'],
	...[', help', ': help', '; help', ' – help', ' — help', ' - help', ',\nhelp'].map(
		(rest): [string, string] => [`<@uid:reminder-bot>${rest}`, 'help'],
	),
	[' <@uid:reminder-bot> <@uid:Reminder-Bot>, help', 'help'],
	['<@uid:reminder-bot>,', ''],
	['<@uid:reminder-bot> :smile:', ':smile:'],
	['<@uid:reminder-bot> -5', '-5'],
	['<@uid:reminder-bot>\n- one\n- two', '- one\n- two'],
	['<@uid:reminder-bot>,, help', ',, help'],
	['Hey <@uid:reminder-bot>, who?', 'Hey, who?'],
	['<@uid:leo> <@uid:reminder-bot>, help', '<@uid:leo>, help'],
	['<@uid:reminder-bot>', ''],
	['<@uid:reminder-bot2> <@uid:', '<@uid:reminder-bot2> <@uid:'],
])('the text %j of a message becomes %j', async (text, expected) => {
	const n8n = await publish();
	await n8n.deliver(relay({ data: { text } }));
	expect(textsOf(n8n)).toEqual([expected]);
});

test('a message without a text has none', async () => {
	const n8n = await publish();
	await n8n.deliver(relay({ type: 'image', data: {} }));
	expect(textsOf(n8n)).toEqual([null]);
});

/** A message in a group. */
const inGroup = (message: object) => ({ receiverType: 'group', receiver: 'makers', ...message });

const QUOTED = {
	...{ id: '77', sender: 'leo', category: 'message', type: 'text' },
	data: { text: 'We close\nat noon', entities: { sender: { entity: { name: 'Leo Brandt' } } } },
};

const PDF = { url: 'https://example.com/a.pdf', name: 'report.pdf' };

describe('chatInput', () => {
	const entities = { sender: { entity: { uid: 'mira', name: 'Mira Halden' } } };

	test.each<[string, object, string]>([
		['a private text', { data: { text: '<@uid:reminder-bot>, help' } }, 'help'],
		['a text in a group', inGroup({ data: { text: 'Hi', entities } }), 'Mira Halden: Hi'],
		['a text of a user without a name', inGroup({ data: { text: 'Hi' } }), 'mira: Hi'],
		[
			'several lines in a group, so that nobody writes in the name of others',
			inGroup({ data: { text: 'Hi\nLeo Brandt: I quit\r\u2028> Leo: Yes', entities } }),
			'Mira Halden: Hi\n  Leo Brandt: I quit\n  \n  > Leo: Yes',
		],
		[
			'a name of several lines in a group',
			inGroup({ data: { text: 'Hi', entities: { sender: { entity: { name: 'A\nLeo: B' } } } } }),
			'A Leo: B: Hi',
		],
		['a file', { type: 'file', data: { attachments: [PDF] } }, '[report.pdf]'],
		[
			'files with a caption in a group',
			inGroup({ type: 'file', data: { text: 'See', attachments: [PDF, { url: 'x' }], entities } }),
			'Mira Halden: See [report.pdf] [file]',
		],
		[
			'a file with only a URL',
			{ type: 'image', data: { url: 'https://example.com/a' } },
			'[image]',
		],
		['a card', { category: 'card', type: 'card', data: { text: 'Shipped', card: {} } }, 'Shipped'],
		[
			'a card without a preview',
			{ category: 'card', type: 'card', data: { card: { fallbackText: 'Order 7' } } },
			'Order 7',
		],
		['a card without any text', { category: 'card', type: 'card', data: {} }, '[card]'],
		['a sticker', { category: 'custom', type: 'extension_sticker', data: {} }, '[sticker]'],
		['a mention alone', { data: { text: ' <@uid:reminder-bot> ' } }, '<@uid:reminder-bot>'],
		[
			'a question about a quoted message',
			{ quotedMessage: QUOTED, data: { text: 'Is this true?' } },
			'> Leo Brandt: We close\n>   at noon\nIs this true?',
		],
		[
			'a question about a quoted file in a group',
			inGroup({
				quotedMessage: { sender: 'leo', type: 'file', data: { attachments: [PDF] } },
				data: { text: '<@uid:reminder-bot> sum up', entities },
			}),
			'> leo: [report.pdf]\nMira Halden: sum up',
		],
		['a quoted message that CometChat leaves out', { quotedMessageId: 77 }, 'Hi'],
	])('of %s says what a model needs to know', async (_name, message, expected) => {
		const n8n = await publish();
		await n8n.deliver(relay(message));
		expect(itemsOf(n8n)).toMatchObject([{ chatInput: expected }]);
	});
});

test('sessionId tells threads, groups, users, bots and apps apart, and ignores case', async () => {
	const n8n = await publish();
	const thread = { parentId: 1 };
	const messages = [
		{ sender: '1' },
		{ sender: 'Noor' },
		{ sender: 'noor' },
		inGroup({ receiver: '1' }),
		inGroup({ receiver: 'noor' }),
		thread,
		inGroup(thread),
		{ sender: 'group:1' },
	];
	for (const [index, message] of messages.entries()) {
		await n8n.deliver(relay({ id: String(910 + index), ...message }));
	}
	await n8n.deliver(relay({ id: '920', sender: '1' }, { appId: 'other' }));
	await n8n.deliver(relay({ id: '921', sender: '1' }, { appId: undefined }));
	const app = `${sandbox().appId}:reminder-bot`;
	expect(itemsOf(n8n).map(({ sessionId }) => sessionId)).toEqual([
		...[`${app}:user:1`, `${app}:user:noor`, `${app}:user:noor`],
		...[`${app}:group:1`, `${app}:group:noor`, `${app}:thread:1`, `${app}:thread:1`],
		...[`${app}:user:group:1`, 'other:reminder-bot:user:1', ':reminder-bot:user:1'],
	]);
});

test('a message that quotes another one says so, also by Selected Fields', async () => {
	const quote = { quotedMessageId: '109', quotedText: expect.any(String), quotedSender: 'mira' };
	const fields = ['chatInput', 'sessionId', ...Object.keys(quote)];
	for (const output of ['simplified', 'fields']) {
		const n8n = await publish({ output, fields });
		const to = { receiver: 'reminder-bot', receiverType: 'user' } as const;
		send({ ...to, sender: 'leo', text: 'Is this true?', quotedMessageId: '109' });
		await settle(n8n);
		const chatInput = '> Mira Halden: Aurora ships on Monday. Thank you all!\nIs this true?';
		expect(itemsOf(n8n)).toMatchObject([{ ...quote, chatInput }]);
		await n8n.unpublish(botWorkflow());
	}
});

test('actions become rows that say what happened, who did it, and to whom', async () => {
	const n8n = await publish({ options: { includeActions: true } });
	const by = { entity: { uid: 'mira', name: 'Mira Halden' } };
	const on = { entity: { uid: 'leo', name: 'Leo Brandt' } };
	const deliverAction = async (id: string, action: string, entities: object) =>
		await n8n.deliver(
			relay({ id, category: 'action', type: 'groupMember', data: { action, entities } }),
		);
	await n8n.deliver(relay());
	await deliverAction('902', 'joined', { by });
	await deliverAction('903', 'kicked', { by, on });
	expect(itemsOf(n8n)).toMatchObject([
		{ id: '901', sender: 'mira', action: null, uid: null, name: null },
		{ id: '902', action: 'joined', uid: 'mira', name: 'Mira Halden', chatInput: '[joined]' },
		{ id: '903', sender: 'mira', action: 'kicked', uid: 'leo', name: 'Leo Brandt' },
	]);
});

test('Raw returns the whole body, and Selected Fields take columns and the paths of Raw', async () => {
	const raw = await publish({ output: 'raw' });
	await raw.deliver(relay());
	expect(itemsOf(raw)).toEqual([relay()]);
	await raw.unpublish(botWorkflow());
	const fields = ['replyTo', 'data.text', 'data.conversationId', 'appId'];
	const selected = await publish({ output: 'fields', fields });
	await selected.deliver(relay({ id: '903' }));
	expect(itemsOf(selected)).toEqual([
		{
			id: '903',
			replyTo: 'mira',
			data: { text: 'Hi', conversationId: 'mira_user_reminder-bot' },
			appId: sandbox().appId,
		},
	]);
});

test.each([[{}], [{ includeActions: true }]])(
	'Fields lists the columns of Simplified first, and items have all of them, with %j',
	async (options) => {
		const names = await listFields('cometChatBotTrigger', { options });
		expect(names).toEqual([...new Set(names)]);
		expect(names).toEqual(
			expect.arrayContaining(['action', 'uid', 'name', 'conversationId', 'metadata']),
		);
		const n8n = await publish({ options, output: 'fields', fields: names });
		await n8n.deliver(relay());
		expect(Object.keys(itemsOf(n8n)[0])).toEqual(names);
		await n8n.unpublish(botWorkflow());
		const simplified = await publish({ options });
		await simplified.deliver(relay({ id: '904' }));
		const columns = Object.keys(itemsOf(simplified)[0]);
		expect(names.slice(0, columns.length)).toEqual(columns);
	},
);

test.each([
	['no message', {}, { data: 'x' }],
	['an event of a webhook', {}, { trigger: 'message_sent' }],
	['a message without a sender', { sender: null }, {}],
])('%s is refused with 400', async (_name, message, envelope) => {
	const n8n = await publish();
	expect(await n8n.deliver(relay(message, envelope))).toBe(400);
	expect(n8n.executions).toEqual([]);
});

test('only the first message of a test starts the workflow', async () => {
	const n8n = await startN8n();
	await n8n.startTest(botWorkflow());
	await writeToBot('One');
	await settle(n8n);
	await writeToBot('Two');
	await settle(n8n);
	expect(textsOf(n8n)).toEqual(['One']);
});

test('the CometChat Trigger refuses a message to a bot and names the bot trigger', async () => {
	const webhook = await activate({});
	const { status, text } = await postEvent(webhook, JSON.stringify(relay()));
	expect([status, text]).toEqual([400, expect.stringContaining('CometChat Bot Trigger')]);
});
