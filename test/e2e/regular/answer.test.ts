import type { INode, INodeParameters } from 'n8n-workflow';

import { cometChat, node, workflow, type Wire } from '../../../tools/n8nEngine/draft';
import { addModelCredential, agentNodes, agentWires } from '../lib/agent';
import { submitAnswer } from '../lib/answerForm';
import { waitFor } from '../lib/processes';
import { useRecipes } from '../lib/recipes';

const recipes = useRecipes();
const { system, model } = recipes;

const BOT = 'reminder-bot';

const byId = (value: string) => ({ __rl: true, mode: 'id', value });

const TRIGGER = 'CometChat Bot Trigger';

/** IDs of workflows to unpublish after a test, even a failed one. */
const published: string[] = [];

afterEach(async () => {
	for (const id of published.splice(0)) await system().client.unpublish(id);
});

let hookCount = 0;

const botTrigger = (name = TRIGGER, bot = BOT, parameters: INodeParameters = {}): INode =>
	node({
		name,
		type: 'n8n-nodes-cometchat.cometChatBotTrigger',
		webhookId: `answer-${++hookCount}`,
		parameters: { botId: { __rl: true, mode: 'id', value: bot }, ...parameters },
		credentials: { cometChatApi: { id: system().credentialId, name: 'CometChat' } },
	});

const answer = (text = '=Re: {{ $json.text }}', rest: Partial<INode> = {}): INode =>
	cometChat(
		system().credentialId,
		{ resource: 'message', operation: 'answer', text },
		{ name: 'Answer', ...rest },
	);

const code = (name: string, jsCode: string): INode =>
	node({ name, type: 'n8n-nodes-base.code', typeVersion: 2, parameters: { jsCode } });

/** Lists the bots' new messages, formatted as "receiver#thread: text". */
function startListing(): () => string[] {
	const list = () =>
		system()
			.sandbox.store.messages.all()
			.filter(({ metadata }) => metadata?.n8nAnswer === true)
			.map(
				({ sender, receiver, parentId, text }) =>
					`${sender === BOT ? '' : `${sender} to `}${receiver}${parentId ? `#${parentId}` : ''}: ${text}`,
			);
	return list;
}

const write = (text: string, receiver = BOT, more: { parentId?: string } = {}) =>
	system().sandbox.store.sendMessage({
		...{ sender: 'mira', receiver, text, receiverType: receiver === BOT ? 'user' : 'group' },
		...more,
	});

async function publish(nodes: INode[], wires?: Wire[]): Promise<string> {
	const { client } = system();
	const id = await client.addWorkflow(workflow('Answers', nodes, wires));
	published.push(id);
	await client.publish(id);
	return id;
}

/** Waits until a workflow's last execution has ended, and returns the execution. */
async function waitForLast(workflowId: string) {
	const { client } = system();
	const { id } = await waitFor(
		'The execution',
		async () => (await client.listExecutions(workflowId))[0],
	);
	return await client.waitForEnd(id);
}

test('An answer stands where the question was: in private, in the group, and in the thread', async () => {
	const replies = startListing();
	await publish([botTrigger(), answer()]);
	write('Alone?');
	await waitFor('The private answer', () => replies().length === 1);
	const { id } = write('A topic', 'all-hands');
	write(`<@uid:${BOT}> here?`, 'all-hands');
	await waitFor('The answer in the group', () => replies().length === 2);
	write(`And here, <@uid:${BOT}>`, 'all-hands', { parentId: id });
	await waitFor('The answer in the thread', () => replies().length === 3);
	expect(replies()).toEqual([
		'mira: Re: Alone?',
		'all-hands: Re: here?',
		`all-hands#${id}: Re: And here,`,
	]);
});

test('An AI agent and its memory behind the trigger need no setting, and keep conversations apart', async () => {
	const replies = startListing();
	const [, chatModel] = agentNodes(await addModelCredential(system(), model()));
	const agent = { type: '@n8n/n8n-nodes-langchain.agent', typeVersion: 3 };
	const memory = { type: '@n8n/n8n-nodes-langchain.memoryBufferWindow', typeVersion: 1.3 };
	await publish(
		[
			botTrigger(),
			node({ name: 'AI Agent', ...agent, parameters: { options: {} } }),
			...[chatModel, node({ name: 'Memory', ...memory })],
			answer('={{ $json.output }}'),
		],
		[
			...agentWires(TRIGGER, []),
			{ from: 'Memory', to: 'AI Agent', kind: 'ai_memory' },
			{ from: 'AI Agent', to: 'Answer' },
		],
	);
	const ask = async (text: string, receiver?: string) => {
		const earlier = replies().length;
		model().respond(() => ({ text: `Answer ${earlier + 1}` }));
		write(text, receiver);
		await waitFor('The answer', () => replies().length > earlier);
	};
	await ask(`<@uid:${BOT}>, I take 7`, 'all-hands');
	await ask(`What do I take, <@uid:${BOT}>?`, 'all-hands');
	await ask('And in private?');
	const said = model().requests.map(({ messages }) =>
		messages
			.filter(({ role }) => role !== 'system')
			.map(({ role, content }) => `${role}: ${content}`),
	);
	const first = ['user: Mira Halden: I take 7'];
	expect(said).toEqual([
		first,
		[...first, 'assistant: Answer 1', 'user: Mira Halden: What do I take,?'],
		['user: And in private?'],
	]);
	expect(replies()).toEqual(['all-hands: Answer 1', 'all-hands: Answer 2', 'mira: Answer 3']);
});

test('A bot asks back in the thread in which it was asked', async () => {
	const { client, sandbox } = system();
	const parameters = {
		...{ resource: 'message', operation: 'sendAndWait', message: 'Which room?' },
		...{ groupId: byId('={{ $json.replyTo }}'), onBehalfOf: byId('={{ $json.bot }}') },
		...{ responseType: 'freeText', options: { parentId: '={{ $json.parentId }}' } },
	};
	const question = cometChat(system().credentialId, parameters, { name: 'Ask' });
	const id = await publish([botTrigger(), question, answer('={{ $json.data.text }} is free')]);
	const { id: parentId } = write('A topic', 'all-hands');
	write(`<@uid:${BOT}> is it free?`, 'all-hands', { parentId });
	const find = (text: string) =>
		sandbox.store.messages.all().find((message) => message.text?.includes(text));
	const { text } = await waitFor('The question', () => find('Which room?'));
	expect(find('Which room?')).toMatchObject({ parentId, sender: BOT });
	const execution = await client.waitForQuestion(id);
	const [link = ''] = /http\S+/.exec(String(text)) ?? [];
	await submitAnswer(link, { text: 'Room 7' });
	await client.waitForEnd(execution);
	expect(find('Room 7 is free')).toMatchObject({ parentId, sender: BOT });
});

type Way = [name: string, nodes: () => INode[], wires: Wire[] | undefined, expected: string[]];

/** Adds the wires from the trigger and to the answer. */
const around = (...names: string[]): Wire[] =>
	[TRIGGER, ...names].map((from, index) => ({ from, to: [...names, 'Answer'][index] ?? '' }));

const CHOICE = {
	conditions: {
		options: { caseSensitive: true, leftValue: '', typeValidation: 'loose', version: 2 },
		conditions: [
			{
				id: 'a',
				leftValue: '={{ $json.text }}',
				rightValue: 'Hi',
				operator: { type: 'string', operation: 'equals' },
			},
		],
		combinator: 'and',
	},
	options: {},
};

const WAYS: Way[] = [
	[
		'Code that keeps the pairing',
		() => [code('Code', 'return $input.all()')],
		around('Code'),
		['mira: Re: Hi'],
	],
	[
		'Code that loses the pairing',
		() => [code('Code', "return [{ json: { text: 'one' } }, { json: { text: 'two' } }]")],
		around('Code'),
		['mira: Re: one', 'mira: Re: two'],
	],
	[
		'Loop Over Items',
		() => [
			code('Three', 'return [1, 2, 3].map((text) => ({ json: { text } }))'),
			node({ name: 'Loop', type: 'n8n-nodes-base.splitInBatches', typeVersion: 3 }),
		],
		[
			{ from: TRIGGER, to: 'Three' },
			{ from: 'Three', to: 'Loop' },
			{ from: 'Loop', output: 1, to: 'Answer' },
			{ from: 'Answer', to: 'Loop' },
		],
		['mira: Re: 1', 'mira: Re: 2', 'mira: Re: 3'],
	],
	[
		'Merge',
		() => [
			code('One', "return { json: { text: 'one' } }"),
			code('Two', "return { json: { text: 'two' } }"),
			node({ name: 'Merge', type: 'n8n-nodes-base.merge', typeVersion: 3.1 }),
		],
		[
			...[
				{ from: TRIGGER, to: 'One' },
				{ from: TRIGGER, to: 'Two' },
			],
			{ from: 'One', to: 'Merge' },
			{ from: 'Two', to: 'Merge', input: 1 },
			{ from: 'Merge', to: 'Answer' },
		],
		['mira: Re: one', 'mira: Re: two'],
	],
	[
		'If',
		() => [node({ name: 'If', type: 'n8n-nodes-base.if', typeVersion: 2.2, parameters: CHOICE })],
		around('If'),
		['mira: Re: Hi'],
	],
	[
		'the error output of a node',
		() => [{ ...code('Broken', "throw new Error('No')"), onError: 'continueErrorOutput' as const }],
		[
			{ from: TRIGGER, to: 'Broken' },
			{ from: 'Broken', output: 1, to: 'Answer' },
		],
		['mira: Re: '],
	],
];

test.each(WAYS)(
	'Behind %s, the answer finds its question',
	async (_name, nodes, wires, expected) => {
		const replies = startListing();
		const id = await publish([botTrigger(), ...nodes(), answer()], wires);
		write('Hi');
		await waitFor('The answers', () => replies().length === expected.length);
		expect(replies()).toEqual(expected);
		expect((await waitForLast(id)).error).toBeUndefined();
	},
);

test('Behind two Bot Triggers, each bot answers its own messages, whatever the triggers are called', async () => {
	const replies = startListing();
	await publish(
		[botTrigger('My "bot"'), botTrigger("Leo's {{ bot }}", 'leo'), answer()],
		['My "bot"', "Leo's {{ bot }}"].map((from) => ({ from, to: 'Answer' })),
	);
	write('Hi');
	await waitFor('The first answer', () => replies().length === 1);
	system().sandbox.store.sendMessage({
		...{ sender: 'mira', receiver: 'leo', receiverType: 'user', text: 'You?' },
	});
	await waitFor('The second answer', () => replies().length === 2);
	expect(replies()).toEqual(['mira: Re: Hi', 'leo to mira: Re: You?']);
});

test('With Retry On Fail, an answer that CometChat refused at first is sent once', async () => {
	const replies = startListing();
	const refuse = { status: { status: 403 } };
	system().sandbox.setFaults([
		{ match: { method: 'POST', path: '/v3/messages', nth: [1] }, effect: refuse },
	]);
	const retry = { retryOnFail: true, maxTries: 2, waitBetweenTries: 0 };
	await publish([botTrigger(), answer('Hi!', retry)]);
	write('Hi');
	await waitFor('The answer', () => replies().length === 1);
	expect(replies()).toEqual(['mira: Hi!']);
});

describe('With pinned data of the trigger', () => {
	const row = (id: string, replyTo: string) => ({
		json: { id, text: id, replyTo, replyToType: 'user', parentId: null, bot: BOT },
	});

	async function run(nodes: INode[]) {
		const { client } = system();
		const draft = workflow('Pinned', nodes);
		draft.pinData = { [TRIGGER]: [row('1', 'mira'), row('2', 'leo')] };
		return await client.runFrom(await client.addWorkflow(draft), TRIGGER);
	}

	test('each of several items is answered where it was asked', async () => {
		const replies = startListing();
		const execution = await run([botTrigger(), answer()]);
		expect(execution.error).toBeUndefined();
		// Items for different conversations are sent at the same time
		expect(replies().sort()).toEqual(['leo: Re: 2', 'mira: Re: 1']);
	});

	test('items that n8n cannot pair with one of several are refused with a reason', async () => {
		const replies = startListing();
		const jsCode = "return [{ json: { text: 'x' } }, { json: {} }, { json: {} }]";
		const execution = await run([botTrigger(), code('Code', jsCode), answer('Hi')]);
		expect(execution.error).toMatchObject({
			message: `n8n can't tell which item of '${TRIGGER}' this item comes from`,
			description: expect.stringContaining('Keep the pairing of items in the nodes between.'),
		});
		expect(replies()).toEqual([]);
	});
});

test('In a sub-workflow, which has no Bot Trigger, Answer says so, and Send answers', async () => {
	const { client, credentialId } = system();
	const replies = startListing();
	const start = node({
		name: 'Start',
		type: 'n8n-nodes-base.executeWorkflowTrigger',
		typeVersion: 1.1,
		parameters: { inputSource: 'passthrough' },
	});
	const byId = (value: string) => ({ __rl: true, mode: 'id', value });
	const send = cometChat(credentialId, {
		...{ resource: 'message', operation: 'send', receiverType: '={{ $json.replyToType }}' },
		...{ userId: byId('={{ $json.replyTo }}'), groupId: byId('={{ $json.replyTo }}') },
		...{ text: 'From below', onBehalfOf: byId('={{ $json.bot }}') },
		additionalFields: { parentId: '={{ $json.parentId }}', metadata: '{"n8nAnswer": true}' },
	});
	const call = (id: string) =>
		node({
			name: 'Call',
			type: 'n8n-nodes-base.executeWorkflow',
			typeVersion: 1.2,
			parameters: { workflowId: byId(id), options: {} },
		});
	const answering = await client.addWorkflow(workflow('Below', [start, answer('Hi')]));
	await client.publish(answering);
	published.push(answering);
	const caller = await publish([botTrigger(), call(answering)]);
	write('Hi');
	expect((await waitForLast(caller)).error?.message).toContain(
		'No CometChat Bot Trigger leads to this node',
	);
	await client.unpublish(caller);
	const sending = await client.addWorkflow(workflow('Below', [start, send]));
	await client.publish(sending);
	published.push(sending);
	await publish([botTrigger(), call(sending)]);
	const { id } = write('A topic', 'all-hands');
	write(`<@uid:${BOT}>`, 'all-hands', { parentId: id });
	await waitFor('The answer of the sub-workflow', () => replies().length === 1);
	expect(replies()).toEqual([`all-hands#${id}: From below`]);
});

test('Two bots made from the recipe "bot" give a message of a person one answer each', async () => {
	const replies = startListing();
	const { store } = system().sandbox;
	store.createGroup({ guid: 'duo', name: 'Duo', owner: 'mira' });
	store.addMembers(
		'duo',
		[BOT, 'leo'].map((uid) => ({ uid, scope: 'participant' })),
	);
	model().respond(
		...Array.from({ length: 20 }, () => () => ({ text: `<@uid:leo> <@uid:${BOT}> Hm.` })),
	);
	for (const bot of [BOT, 'leo']) {
		await recipes.publish('bot', {
			edit: (json) => json.replaceAll(BOT, bot).replace('8a18f27f', `8a18f27f-${bot}`),
			change: { [TRIGGER]: { groupMessages: 'allMessages' } },
		});
	}
	write('Good morning', 'duo');
	await waitFor('The answers', () => replies().length === 2);
	await system().sandbox.webhooks.idle();
	expect(replies().sort()).toEqual([
		`duo: <@uid:leo> <@uid:${BOT}> Hm.`,
		`leo to duo: <@uid:leo> <@uid:${BOT}> Hm.`,
	]);
	expect(model().requests).toHaveLength(2);
	expect(JSON.stringify(model().requests[0]?.messages)).toContain('Mira Halden: Good morning');
});
