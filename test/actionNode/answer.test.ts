import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';

import { cometChat, manual, node, workflow, type Wire } from '../../tools/n8nEngine/draft';
import { runWorkflow, type RunOptions } from '../../tools/n8nEngine/engine';
import { CometChat } from '../../nodes/CometChat/CometChat.node';
import { choicesOf } from '../fields';
import { AS_TOOL, NODE, credentialsOf, group, message, refusalOf, useSandbox } from './harness';

const sandbox = useSandbox();

const BOT = 'reminder-bot';

const TRIGGER = 'CometChat Bot Trigger';

/** Columns of a question that somebody asks in a group, as the Bot Trigger returns them. */
const inGroup = { id: '1', text: 'When?', replyTo: 'all-hands', replyToType: 'group' };

const GROUP_QUESTION = { ...inGroup, parentId: null, bot: BOT };
const THREAD_QUESTION = { ...GROUP_QUESTION, parentId: '109' };
const PRIVATE_QUESTION = { ...GROUP_QUESTION, replyTo: 'mira', replyToType: 'user' };

const botTrigger = (parameters: INodeParameters = {}, rest: Partial<INode> = {}) =>
	node({
		name: TRIGGER,
		type: 'n8n-nodes-cometchat.cometChatBotTrigger',
		parameters: { botId: { __rl: true, mode: 'id', value: BOT }, ...parameters },
		...rest,
	});

const answer = (parameters: INodeParameters = {}, rest: Partial<INode> = {}) =>
	cometChat('1', message('answer', { text: 'At ten.', ...parameters }), { name: NODE, ...rest });

/** A node between trigger and answer that returns one item for each input item. */
const between = (name = 'Between') =>
	cometChat('1', group('get', { groupId: 'all-hands' }), { name });

interface Setup extends Partial<RunOptions> {
	rows?: IDataObject[];
	nodes?: INode[];
	wires?: Wire[];
}

/** Runs a workflow that starts at a Bot Trigger. By default, Answer stands directly behind the trigger. */
const run = async ({ rows = [GROUP_QUESTION], nodes, wires, ...options }: Setup = {}) =>
	await runWorkflow(workflow('Test', nodes ?? [botTrigger(), answer()], wires), {
		...{ credentials: credentialsOf(sandbox()), trigger: TRIGGER, input: rows },
		...options,
	});

/** Lists the bot's answers, formatted as "receiver#thread: text". */
const listAnswers = () =>
	sandbox()
		.store.messages.all()
		.filter(({ sender, metadata }) => sender === BOT && metadata?.n8nAnswer === true)
		.map(({ receiver, parentId, text }) => `${receiver}${parentId ? `#${parentId}` : ''}: ${text}`);

beforeEach(() => sandbox().store.addMembers('all-hands', [{ uid: BOT, scope: 'participant' }]));

test.each([
	['in a group', GROUP_QUESTION, 'all-hands: At ten.'],
	['in a thread', THREAD_QUESTION, 'all-hands#109: At ten.'],
	['in private', PRIVATE_QUESTION, 'mira: At ten.'],
])('A question %s is answered there, as the bot', async (_place, row, expected) => {
	const { error, items } = await run({ rows: [row] });
	expect(error).toBeUndefined();
	expect(listAnswers()).toEqual([expected]);
	expect(items(NODE)).toMatchObject([{ json: { sender: BOT, text: 'At ten.' } }]);
	expect(sandbox().violations).toEqual([]);
});

test("Without a text, an answer sends the input's output, as AI agents return it", async () => {
	const nodes = [botTrigger(), cometChat('1', message('answer'), { name: NODE })];
	const rows = [{ ...GROUP_QUESTION, output: 'At eleven.' }];
	expect((await run({ rows, nodes })).error).toBeUndefined();
	expect(listAnswers()).toEqual(['all-hands: At eleven.']);
	expect((await run({ nodes })).error).toMatchObject({
		message: "'Text' is empty: its expression returned no value",
	});
	expect(listAnswers()).toHaveLength(1);
});

const RELAYED = {
	trigger: 'after_message',
	data: {
		...{ id: '1', sender: 'mira', receiver: BOT, receiverType: 'user', category: 'message' },
		data: { text: 'When?' },
	},
};

test.each<[string, IDataObject, INodeParameters, string]>([
	['with the bot as text', { ...RELAYED, bot: BOT }, {}, 'mira: At ten.'],
	['with the bot as an object', { ...RELAYED, bot: { uid: BOT } }, {}, 'mira: At ten.'],
	['without the bot, whose UID is a parameter', RELAYED, {}, 'mira: At ten.'],
	['without the bot, whose UID is a plain text', RELAYED, { botId: BOT }, 'mira: At ten.'],
	[
		'in a thread of a group',
		{
			...RELAYED,
			data: { ...RELAYED.data, ...{ receiver: 'all-hands', receiverType: 'group' }, parentId: 109 },
		},
		{},
		'all-hands#109: At ten.',
	],
])('Output → Raw of the trigger serves, too, %s', async (_name, row, parameters, expected) => {
	const { error } = await run({ rows: [row], nodes: [botTrigger(parameters), answer()] });
	expect(error).toBeUndefined();
	expect(listAnswers()).toEqual([expected]);
});

const BOTS_WITHOUT_UID = [
	{},
	{ name: 'Bot' },
	{ uid: null },
	{ uid: ' ' },
	[BOT],
	7,
	true,
	'',
	'app_system',
];

test.each(BOTS_WITHOUT_UID.map((bot) => [bot]))(
	"Output → Raw with the bot %j is answered as the trigger's bot, never as the app",
	async (bot) => {
		const rows = [{ ...RELAYED, bot } as IDataObject];
		expect((await run({ rows })).error).toBeUndefined();
		expect(listAnswers()).toEqual(['mira: At ten.']);
		const botId = { __rl: true, mode: 'id', value: "={{ 'reminder-bot' }}" };
		const { error } = await run({ rows, nodes: [botTrigger({ botId }), answer()] });
		expect(error).toMatchObject({ message: `The output of '${TRIGGER}' has no bot` });
		const app = await run({ rows, nodes: [botTrigger({ botId: 'app_system' }), answer()] });
		expect(app.error).toBeDefined();
		expect(listAnswers()).toHaveLength(1);
	},
);

test('The output of the trigger serves if it is pinned, and only the step is executed', async () => {
	const nodes = [manual(), botTrigger(), answer()];
	const wires = [
		{ from: 'Manual', to: NODE },
		{ from: TRIGGER, to: NODE },
	];
	const pinned = {
		...workflow('Test', nodes, wires),
		pinData: { [TRIGGER]: [{ json: GROUP_QUESTION }] },
	};
	const credentials = credentialsOf(sandbox());
	const { error } = await runWorkflow(pinned, { credentials, trigger: 'Manual' });
	expect(error).toBeUndefined();
	expect(listAnswers()).toEqual(['all-hands: At ten.']);
});

test('An error about an unknown user says whose UID is meant', async () => {
	const { error } = await run({ rows: [{ ...PRIVATE_QUESTION, replyTo: 'nobody' }] });
	expect(error?.message).toBe('No active user has the UID of the bot, or of the person who asked');
});

test('Selected Fields of the trigger serve if they contain where to answer', async () => {
	const row = { ...GROUP_QUESTION, bot: undefined };
	await run({ rows: [row] });
	await run({ rows: [{ ...row, bot: { uid: BOT } }] });
	expect(listAnswers()).toEqual(['all-hands: At ten.', 'all-hands: At ten.']);
	const { error } = await run({ rows: [{ id: '1', text: 'When?' }] });
	expect(error).toMatchObject({
		message: `The output of '${TRIGGER}' has no replyTo, replyToType, parentId`,
		description:
			"If the trigger's output is pinned or mock data, unpin it, or add these fields to it. Otherwise, set the trigger's 'Output' to Simplified or Raw, or add these fields to its 'Fields'.",
	});
	const parameters = { botId: { __rl: true, mode: 'id', value: "={{ 'reminder-bot' }}" } };
	const unknown = await run({ rows: [row], nodes: [botTrigger(parameters), answer()] });
	expect(unknown.error).toMatchObject({ message: `The output of '${TRIGGER}' has no bot` });
});

describe('The question is found', () => {
	test('behind another node', async () => {
		await run({ nodes: [botTrigger(), between(), answer({ text: '={{ $json.name }}' })] });
		expect(listAnswers()).toEqual(['all-hands: All Hands']);
	});

	test.each(['My "bot" {{ 1 }}', "It's `me` \\ $x", 'Bot\u2028'])(
		'behind a trigger with the name %j',
		async (name) => {
			const nodes = [botTrigger({}, { name }), between(), answer()];
			const { error } = await run({ nodes, trigger: name });
			expect(error).toBeUndefined();
			expect(listAnswers()).toEqual(['all-hands: At ten.']);
		},
	);

	test.each(['One', 'Two'])('if two triggers lead to the node, and %s ran', async (trigger) => {
		const nodes = [botTrigger({}, { name: 'One' }), botTrigger({}, { name: 'Two' }), answer()];
		const wires = ['One', 'Two'].map((from) => ({ from, to: NODE }));
		await run({ nodes, wires, trigger, rows: [PRIVATE_QUESTION] });
		expect(listAnswers()).toEqual(['mira: At ten.']);
	});

	test('for each of several pinned items', async () => {
		const rows = [GROUP_QUESTION, PRIVATE_QUESTION, THREAD_QUESTION];
		const text = '={{ $itemIndex }}';
		await run({ rows, nodes: [botTrigger(), between(), answer({ text })] });
		expect(listAnswers().sort()).toEqual(['all-hands#109: 2', 'all-hands: 0', 'mira: 1']);
	});

	test('on the error output of a node', async () => {
		const failing = cometChat('1', group('get', { groupId: 'nowhere' }), {
			...{ name: 'Failing', onError: 'continueErrorOutput' },
		});
		await run({
			nodes: [botTrigger(), failing, answer({ text: 'Something is wrong.' })],
			wires: [
				{ from: TRIGGER, to: 'Failing' },
				{ from: 'Failing', to: NODE, output: 1 },
			],
		});
		expect(listAnswers()).toEqual(['all-hands: Something is wrong.']);
	});

	test('behind an AI agent, whose items come from no item', async () => {
		const agent = node({ name: 'Agent', type: 'n8n-nodes-base.agent' });
		const tool = cometChat('1', group('get', { groupId: 'all-hands' }), {
			...{ name: 'Tool', type: 'n8n-nodes-cometchat.cometChatOfAgentTool' },
		});
		await run({
			nodes: [botTrigger(), agent, answer(), tool],
			wires: [
				{ from: TRIGGER, to: 'Agent' },
				{ from: 'Agent', to: NODE },
				{ from: 'Tool', to: 'Agent', kind: 'ai_tool' },
			],
		});
		expect(listAnswers()).toEqual(['all-hands: At ten.']);
	});
});

describe('Answer says what is missing', () => {
	test('without a Bot Trigger, e.g. in a sub-workflow', async () => {
		const refusal = await refusalOf(sandbox(), message('answer', { text: 'x' }));
		expect(refusal).toMatchObject({
			message: 'No CometChat Bot Trigger leads to this node',
			description: expect.stringContaining('replyTo, replyToType, parentId and bot'),
		});
		expect(sandbox().log).toEqual([]);
	});

	test('if the Bot Trigger is turned off', async () => {
		const nodes = [manual(), botTrigger({}, { disabled: true }), answer()];
		const { error } = await run({ nodes, trigger: 'Manual', rows: [{}] });
		expect(error?.message).toBe('No CometChat Bot Trigger leads to this node');
	});

	test('if another trigger started the execution', async () => {
		const { error } = await run({
			...{ nodes: [manual(), botTrigger(), answer()], trigger: 'Manual', rows: [{}] },
			wires: ['Manual', TRIGGER].map((from) => ({ from, to: NODE })),
		});
		expect(error).toMatchObject({
			message: `The execution wasn't started by '${TRIGGER}'`,
			description: expect.stringMatching(/or pin its output\. To send elsewhere/),
		});
	});

	test('as a tool of an AI agent', async () => {
		const settings = AS_TOOL;
		const refusal = await refusalOf(sandbox(), message('answer', { text: 'x' }), { settings });
		expect(refusal.message).toContain("Answer can't be a tool of an AI agent");
		const choices = new CometChat().description.properties
			.filter(({ name }) => name === 'operation')
			.flatMap(choicesOf);
		const hidden = choices.filter(
			({ displayOptions }) => displayOptions?.hide?.['@tool']?.[0] === true,
		);
		expect(hidden.map(({ value }) => value)).toEqual(['answer']);
	});
});

describe('Quote the Question', () => {
	const quoting = (quoteQuestion: boolean) => answer({ options: { quoteQuestion } });

	const readQuotedIds = () =>
		sandbox()
			.store.messages.all()
			.filter(({ metadata }) => metadata?.n8nAnswer === true)
			.map(({ quotedMessageId }) => quotedMessageId);

	test.each<[string, IDataObject]>([
		['in a group', { ...GROUP_QUESTION, id: '109' }],
		['in a thread', { ...THREAD_QUESTION, id: '109' }],
		['in private', { ...PRIVATE_QUESTION, id: '109' }],
		['with the output Raw', { ...RELAYED, data: { ...RELAYED.data, id: 109 } }],
	])('quotes the question %s', async (_place, row) => {
		const { error, items } = await run({ rows: [row], nodes: [botTrigger(), quoting(true)] });
		expect(error).toBeUndefined();
		expect(readQuotedIds()).toEqual(['109']);
		expect(items(NODE)).toMatchObject([{ json: { quotedMessageId: '109', quotedSender: 'mira' } }]);
		expect(sandbox().violations).toEqual([]);
	});

	test.each(['109', null, '1,2'])('quotes nothing while it is off (%s)', async (id) => {
		for (const node of [answer(), quoting(false)]) {
			const rows = [{ ...GROUP_QUESTION, id }];
			const { error } = await run({ rows, nodes: [botTrigger(), node] });
			expect(error).toBeUndefined();
		}
		expect(readQuotedIds()).toEqual([undefined, undefined]);
	});

	test.each([undefined, null, '1,2'])('refuses a question without a usable ID: %s', async (id) => {
		const rows = [{ ...GROUP_QUESTION, id }];
		const { error } = await run({ rows, nodes: [botTrigger(), quoting(true)] });
		expect(error?.message).toMatch(/^'Quote the Question' /);
		expect(listAnswers()).toEqual([]);
	});
});

test('An answer mentions users, but not everybody', async () => {
	const text = 'Ask <@uid:leo>, <@all:all>, or <@All:ALL>!';
	const file = { attachments: { attachment: [{ url: 'https://example.com/a.png' }] } };
	for (const parameters of [{ text }, { messageType: 'media', caption: text, ...file }]) {
		await run({ nodes: [botTrigger(), answer(parameters)] });
	}
	expect(listAnswers()).toEqual(Array(2).fill('all-hands: Ask <@uid:leo>, @all, or @all!'));
});

test('The mark of an answer stands beside the own metadata, also of files', async () => {
	const nodes = [
		botTrigger(),
		answer({ additionalFields: { metadata: '{"order": 7}', tags: ['bot'] } }),
		answer(
			{
				...{ messageType: 'media', caption: 'Map' },
				attachments: { attachment: [{ url: 'https://example.com/a.png' }] },
			},
			{ name: 'Files' },
		),
	];
	await run({ nodes });
	const sent = sandbox().store.messages.all().slice(-2);
	expect(sent.map(({ metadata }) => metadata)).toEqual([
		{ order: 7, n8nAnswer: true },
		{ n8nAnswer: true },
	]);
	expect(sent).toMatchObject([{ tags: ['bot'] }, { type: 'image', text: 'Map' }]);
});

test('Send goes to a thread if Thread has an ID, and to the main timeline if Thread is empty', async () => {
	const send = (parentId: unknown) => ({
		...message('send', { groupId: 'all-hands', text: 'x', onBehalfOf: BOT }),
		additionalFields: { parentId: parentId as string },
	});
	for (const [row, parentId] of [
		[{ parentId: '109' }, '109'],
		[{ parentId: null }, undefined],
	] as const) {
		const nodes = [botTrigger(), cometChat('1', send('={{ $json.parentId }}'), { name: NODE })];
		const { error } = await run({ rows: [row], nodes });
		expect(error).toBeUndefined();
		expect(sandbox().store.messages.all().at(-1)?.parentId).toBe(parentId);
	}
	expect(sandbox().violations).toEqual([]);
});

test('An answer that may have been sent is not sent again', async () => {
	sandbox().setFaults([{ match: { method: 'POST' }, effect: { cutAfter: true } }]);
	const { error } = await run();
	expect(listAnswers()).toEqual(['all-hands: At ten.']);
	expect(error).toMatchObject({ description: expect.stringContaining('Check the conversation') });
});
