import type { Bot } from '../../tools/sandbox/store/bots';
import type { NewMessage } from '../../tools/sandbox/store/messages';
import type { Settings } from '../../tools/sandbox/server';
import { useSandbox } from './client';
import { startReceiver, type Receiver } from './receiver';

const sandbox = useSandbox();
let receiver: Receiver;

beforeEach(async () => {
	receiver = await startReceiver();
});
afterEach(() => receiver.close());

/** Makes Leo a bot, who is a member of the group "lunch", but not of "brand". */
const makeBot = (fields: Partial<Bot> = {}) =>
	sandbox().store.bots.create({ uid: 'leo', webhookURL: receiver.url, enabled: true, ...fields });

const send = (fields: Partial<NewMessage>) =>
	sandbox().store.sendMessage({ sender: 'mira', receiver: 'lunch', text: 'Hi', ...fields });

/** Waits for all relays to end and returns their bodies. */
async function relayed() {
	await sandbox().webhooks.idle();
	return receiver.received.map(({ body }) => body);
}

test('a private message to a bot is relayed flat in data, with the login of the bot', async () => {
	makeBot({ useBasicAuth: true, username: 'bot', password: 'secret1' });
	const { id } = send({ receiver: 'leo', receiverType: 'user', text: 'Hello bot' });
	const [body] = await relayed();
	expect(body).toEqual({
		trigger: 'after_message',
		data: expect.objectContaining({
			id,
			sender: 'mira',
			receiver: 'leo',
			receiverType: 'user',
			data: expect.objectContaining({ text: 'Hello bot' }),
		}),
		appId: sandbox().appId,
		region: 'us',
		origin: { platform: 'rest' },
		chatAPIVersion: 'v3',
		bot: 'leo',
	});
	const [{ headers }] = receiver.received;
	const login = Buffer.from('bot:secret1').toString('base64');
	expect(headers.authorization).toBe(`Basic ${login}`);
});

const MESSAGES: Record<string, Partial<NewMessage>> = {
	private: { receiver: 'leo', receiverType: 'user' },
	plain: {},
	mention: { text: 'Hi <@uid:leo>' },
	slash: { text: '/help' },
	elsewhere: { receiver: 'brand', text: '/help <@uid:leo>' },
	own: { sender: 'leo', text: '/help <@uid:leo>' },
	others: { receiver: 'noor', receiverType: 'user' },
};

test.each<[Partial<Bot>, Partial<Settings>, string[]]>([
	[{}, {}, ['private']],
	[{ groupChatSetting: 'mentionedMessages' }, {}, ['private', 'mention']],
	[{ groupChatSetting: 'slashedMessages' }, {}, ['private', 'slash']],
	[{ groupChatSetting: 'allMessages' }, {}, ['private', 'plain', 'mention', 'slash']],
	[
		{ groupChatSetting: 'mentionedMessages' },
		{ botGroups: 'all' },
		['private', 'mention', 'elsewhere'],
	],
	[{ groupChatSetting: 'slashedMessages' }, { botOwnMessages: true }, ['private', 'slash', 'own']],
	[{ enabled: false, groupChatSetting: 'allMessages' }, {}, []],
])('a bot with %j and the settings %j hears %j', async (fields, settings, expected) => {
	sandbox().setSettings(settings);
	makeBot(fields);
	const names = new Map(
		Object.entries(MESSAGES).map(([name, message]) => [send(message).id, name]),
	);
	const heard = (await relayed()).map(({ data }) => names.get(String(data.id)));
	expect(heard).toEqual(expected);
});

test.each<[Settings['botField'], unknown]>([
	['uid', 'leo'],
	['object', expect.objectContaining({ uid: 'leo', name: expect.any(String) })],
	['missing', undefined],
])('the setting botField %s decides what a relay says about the bot', async (botField, bot) => {
	sandbox().setSettings({ botField });
	makeBot();
	send({ receiver: 'leo', receiverType: 'user' });
	expect((await relayed())[0].bot).toEqual(bot);
});

test.each([
	[false, 1],
	[true, 2],
])(
	'with the setting botRetries %s, a failed relay is sent %i times in 10 s',
	async (botRetries, count) => {
		sandbox().setSettings({ botRetries });
		sandbox().webhooks.relayTimeScale = 200;
		receiver.answer = (nth) => (nth === 1 ? 500 : 200);
		makeBot();
		send({ receiver: 'leo', receiverType: 'user' });
		expect(await relayed()).toHaveLength(count);
	},
);

test.each([
	[true, 1],
	[false, 0],
])(
	'with the setting botsHearBots %s, another bot hears %i messages of a bot',
	async (botsHearBots, count) => {
		sandbox().setSettings({ botsHearBots });
		makeBot();
		sandbox().store.bots.create({ uid: 'mira', webhookURL: 'http://127.0.0.1:1/', enabled: false });
		send({ sender: 'mira', receiver: 'leo', receiverType: 'user' });
		expect(await relayed()).toHaveLength(count);
	},
);

test('a message to a bot with another host is logged and not relayed', async () => {
	makeBot({ webhookURL: 'https://bots.example.com/leo' });
	send({ receiver: 'leo', receiverType: 'user' });
	await sandbox().webhooks.idle();
	expect(sandbox().webhooks.deliveries).toMatchObject([
		{ url: 'https://bots.example.com/leo', status: 0 },
	]);
});
