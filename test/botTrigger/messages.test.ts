import type { INodeParameters } from 'n8n-workflow';

import type { Instance } from '../../tools/n8nEngine/publication';
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
	});
	expect(Object.keys(first)).toEqual(
		'id sentAt senderName text sender parentId attachments replyTo replyToType bot'.split(' '),
	);
	expect(second).toMatchObject({
		...{ replyTo: 'all-hands', replyToType: 'group', parentId: '109', text: 'Hey' },
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
		{ id: '902', sender: 'mira', action: 'joined', uid: 'mira', name: 'Mira Halden' },
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
