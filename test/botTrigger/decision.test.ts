import {
	createBotOfOtherOwnerError,
	decideBotAction,
	type PublishingOrExecuteStepEvent,
	type BotActionInput,
} from '../../nodes/CometChat/botTrigger/decision';
import type { BotWebhookSettings } from '../../nodes/CometChat/botTrigger/botApi';

/** Creates a username as the node derives it: of an n8n, a workflow, and a node with its bot. */
const nameOf = (instance: string, workflow: string, node: string) =>
	`n8n${instance.padEnd(12, '0')}${workflow.padEnd(15, '0')}${node.padEnd(18, '0')}`;

const LOGIN = { username: nameOf('a', 'b', 'c'), password: 'derived' };
const PRODUCTION = 'https://n8n.example.com/webhook/hook/webhook';
const TEST = 'https://n8n.example.com/webhook-test/hook/webhook';
const TEST_OF_COPY = 'http://127.0.0.1:5678/webhook-test/hook/webhook';
const ELSEWHERE = 'https://old.example.com/webhook/hook/webhook';

const GROUP = { groupChatSetting: 'mentionedMessages' };
const SET_UP = { webhookURL: PRODUCTION, ...GROUP, useBasicAuth: true, enabled: true, ...LOGIN };
const TURNED_OFF = { enabled: false, useBasicAuth: false };

const createInput = (more: Partial<BotActionInput> = {}): BotActionInput => ({
	...{ url: PRODUCTION, login: LOGIN, takeOver: false },
	...GROUP,
	...more,
});

const own = (more: Partial<BotWebhookSettings> = {}): BotWebhookSettings => ({
	...SET_UP,
	...more,
});

const byHand = { enabled: false };

const foreign = (more: Partial<BotWebhookSettings> = {}): BotWebhookSettings => ({
	...own(),
	...{ webhookURL: 'https://bots.example.com/hook', username: 'owner', password: 'secret' },
	...more,
});

const sibling = (more: Partial<BotWebhookSettings> = {}) =>
	own({ username: nameOf('a', 'b', 'd'), ...more });

/** Bot of another workflow of the same n8n. */
const inN8n = (more: Partial<BotWebhookSettings> = {}) =>
	own({ username: nameOf('a', 'e', 'c'), ...more });

const leave = { kind: 'leave' };
const refuse = { kind: 'refuse' };
const change = (settings: Partial<BotWebhookSettings>) => ({ kind: 'change', change: settings });
const make = (settings: Partial<BotWebhookSettings>) => ({
	kind: 'create',
	bot: { ...SET_UP, ...settings },
});
const taken = { ...change(SET_UP), isTakenOver: true };

const atTest = { url: TEST };
const loan = (before?: Partial<BotWebhookSettings>): Partial<BotActionInput> => {
	const { webhookURL, groupChatSetting, useBasicAuth, enabled } = own(before);
	const settings = { webhookURL, groupChatSetting, useBasicAuth, enabled };
	return { url: TEST, loan: { url: TEST, ...(before ? { before: settings } : {}) } };
};
const borrowed = own({ webhookURL: TEST });
const takeOver = { takeOver: true };

type Cell = [
	occasion: PublishingOrExecuteStepEvent,
	name: string,
	bot: BotWebhookSettings | undefined,
	more: Partial<BotActionInput>,
	expected: object,
];

test.each<Cell>([
	['publish', 'no bot', undefined, {}, make({})],
	['publish', 'own bot as it should be', own(), {}, leave],
	[
		'publish',
		'own bot with another group setting',
		own({ groupChatSetting: 'none' }),
		{},
		change(GROUP),
	],
	[
		'publish',
		'own bot of another API key',
		own({ password: 'old' }),
		{},
		change({ password: 'derived' }),
	],
	[
		'publish',
		'own bot that the node turned off',
		own(TURNED_OFF),
		{},
		change({ enabled: true, useBasicAuth: true }),
	],
	['publish', 'own bot that somebody turned off', own(byHand), {}, change({ enabled: true })],
	['publish', 'own bot at the Test URL', borrowed, {}, change({ webhookURL: PRODUCTION })],
	[
		'publish',
		'own bot elsewhere',
		own({ webhookURL: ELSEWHERE }),
		{},
		change({ webhookURL: PRODUCTION }),
	],
	[
		'publish',
		'bot that another node of the workflow has turned off',
		sibling(TURNED_OFF),
		{},
		change({ username: LOGIN.username, enabled: true, useBasicAuth: true }),
	],
	['publish', 'bot of another node of the workflow', sibling(), {}, refuse],
	['publish', 'bot of another node of the workflow', sibling(), takeOver, refuse],
	['publish', "somebody else's bot", foreign(), {}, refuse],
	['publish', "somebody else's bot", foreign(), takeOver, taken],
	[
		'publish',
		'bot that another workflow of this n8n has turned off',
		inN8n(TURNED_OFF),
		{},
		change({ username: LOGIN.username, enabled: true, useBasicAuth: true }),
	],
	['publish', "another workflow's bot that somebody turned off", inN8n(byHand), {}, refuse],
	[
		'reactivate',
		'bot that another workflow has turned off',
		inN8n(TURNED_OFF),
		{},
		change({ username: LOGIN.username, enabled: true, useBasicAuth: true }),
	],
	[
		'stepStart',
		'bot that another workflow has turned off',
		inN8n(TURNED_OFF),
		atTest,
		change({ webhookURL: TEST, username: LOGIN.username, enabled: true, useBasicAuth: true }),
	],
	['unpublish', 'bot that another workflow has turned off', inN8n(TURNED_OFF), {}, leave],
	[
		'publish',
		"another n8n's bot that is off",
		own({ ...TURNED_OFF, username: nameOf('f', 'b', 'c') }),
		{},
		refuse,
	],
	[
		'publish',
		"another workflow's bot",
		foreign({ username: nameOf('a', 'e', 'c') }),
		takeOver,
		taken,
	],

	['reactivate', 'no bot', undefined, {}, make({})],
	['reactivate', 'own bot as it should be', own(), {}, leave],
	['reactivate', 'own bot at the Test URL', borrowed, {}, change({ webhookURL: PRODUCTION })],
	[
		'reactivate',
		'own bot that the node turned off',
		own(TURNED_OFF),
		{},
		change({ enabled: true, useBasicAuth: true }),
	],
	['reactivate', 'own bot that somebody turned off', own(byHand), {}, leave],
	[
		'reactivate',
		'own bot elsewhere',
		own({ webhookURL: ELSEWHERE }),
		{},
		change({ webhookURL: PRODUCTION }),
	],
	[
		'reactivate',
		'own bot elsewhere that somebody turned off',
		own({ webhookURL: ELSEWHERE, ...byHand }),
		{},
		change({ webhookURL: PRODUCTION }),
	],
	['reactivate', "somebody else's bot", foreign(), {}, refuse],
	['reactivate', "somebody else's bot", foreign(), takeOver, refuse],

	['unpublish', 'no bot', undefined, {}, leave],
	['unpublish', 'own bot', own(), {}, change(TURNED_OFF)],
	['unpublish', 'own bot at the Test URL', borrowed, {}, change(TURNED_OFF)],
	['unpublish', 'own bot that somebody turned off', own(byHand), {}, leave],
	['unpublish', 'own bot elsewhere', own({ webhookURL: ELSEWHERE }), {}, leave],
	['unpublish', "somebody else's bot", foreign(), takeOver, leave],
	['unpublish', 'bot of another node of the workflow', sibling(), {}, leave],

	['stepStart', 'no bot', undefined, atTest, make({ webhookURL: TEST })],
	['stepStart', 'own bot', own(), atTest, change({ webhookURL: TEST })],
	[
		'stepStart',
		'own bot that the node turned off',
		own(TURNED_OFF),
		atTest,
		change({ webhookURL: TEST, enabled: true, useBasicAuth: true }),
	],
	[
		'stepStart',
		'own bot elsewhere',
		own({ webhookURL: ELSEWHERE }),
		atTest,
		change({ webhookURL: TEST }),
	],
	['stepStart', "somebody else's bot", foreign(), atTest, refuse],
	['stepStart', "somebody else's bot", foreign(), { ...atTest, ...takeOver }, refuse],

	['stepEnd', 'no bot', undefined, loan({}), leave],
	[
		'stepEnd',
		'own bot of a published workflow',
		borrowed,
		loan({}),
		change({ webhookURL: PRODUCTION }),
	],
	[
		'stepEnd',
		'own bot with another group setting before',
		borrowed,
		loan({ groupChatSetting: 'none' }),
		change({ webhookURL: PRODUCTION, groupChatSetting: 'none' }),
	],
	['stepEnd', 'own bot that the step made', borrowed, loan(), change(TURNED_OFF)],
	[
		'stepEnd',
		'own bot that was off before',
		borrowed,
		loan(TURNED_OFF),
		change({ webhookURL: PRODUCTION, ...TURNED_OFF }),
	],
	[
		'stepEnd',
		'own bot that somebody had turned off',
		borrowed,
		loan(byHand),
		change({ webhookURL: PRODUCTION, enabled: false }),
	],
	[
		'stepEnd',
		'own bot that led elsewhere before',
		borrowed,
		loan({ webhookURL: ELSEWHERE }),
		change({ webhookURL: ELSEWHERE }),
	],
	[
		'stepEnd',
		'own bot that a killed step had left',
		borrowed,
		loan({ webhookURL: TEST }),
		change(TURNED_OFF),
	],
	['stepEnd', 'own bot, published during the step', own(), loan(TURNED_OFF), leave],
	[
		'stepEnd',
		'own bot, unpublished during the step',
		{ ...borrowed, ...TURNED_OFF },
		loan({}),
		leave,
	],
	['stepEnd', 'own bot elsewhere', own({ webhookURL: ELSEWHERE }), loan({}), leave],
	['stepEnd', 'own bot at no address', own({ webhookURL: '' }), loan({}), leave],
	[
		'stepEnd',
		'own bot that the same step has borrowed since, in a copy of the data',
		own({ webhookURL: TEST_OF_COPY }),
		loan({}),
		change({ webhookURL: PRODUCTION }),
	],
	[
		'stepEnd',
		'own bot that the same step had borrowed before, in a copy of the data',
		borrowed,
		loan({ webhookURL: TEST_OF_COPY }),
		change({ webhookURL: TEST_OF_COPY }),
	],
	['stepEnd', 'own bot, after a restart of n8n', borrowed, atTest, leave],
	['stepEnd', "somebody else's bot", foreign(), loan({}), leave],
])('%s, %s', (occasion, _name, bot, more, expected) => {
	expect(decideBotAction(occasion, bot, createInput(more))).toEqual(expected);
});

test.each<[PublishingOrExecuteStepEvent, Partial<BotWebhookSettings>, string, string]>([
	[
		'publish',
		{},
		'already sends its messages to bots.example.com',
		"add the option 'Take Over Bot' and publish the workflow.",
	],
	[
		'publish',
		{ webhookURL: 'none' },
		'already sends its messages to another address',
		'Take Over Bot',
	],
	[
		'publish',
		{ username: nameOf('a', 'e', 'c') },
		'another workflow of this n8n (bots.example.com)',
		'Execute Sub-workflow',
	],
	[
		'publish',
		{ username: nameOf('f', 'b', 'c') },
		'another n8n (bots.example.com)',
		'Take Over Bot',
	],
	['publish', { username: `${LOGIN.username}0` }, 'messages to bots.example.com', 'Take Over Bot'],
	[
		'publish',
		{ username: nameOf('a', 'b', 'd') },
		'another node of this workflow',
		'turn the bot off in the CometChat dashboard',
	],
	[
		'publish',
		{ enabled: false },
		'belongs to bots.example.com, and is turned off',
		'Take Over Bot',
	],
	[
		'reactivate',
		{},
		'already sends its messages to bots.example.com',
		'n8n takes over no bot when it starts',
	],
	['stepStart', {}, 'already sends its messages to bots.example.com', 'then publish it with'],
])(
	'a refusal to %s a bot with %j says where the bot leads, and what to do',
	(occasion, bot, place, advice) => {
		const { message, description } = createBotOfOtherOwnerError(
			occasion,
			'helper',
			foreign(bot),
			createInput(),
		);
		expect(message).toContain('The bot "helper" ');
		expect(message).toContain(place);
		expect(description).toContain(advice);
	},
);
