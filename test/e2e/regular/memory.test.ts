import type { INode, INodeParameters } from 'n8n-workflow';

import { cometChat, node, workflow, type Wire } from '../../../tools/n8nEngine/draft';
import type { NewMessage } from '../../../tools/sandbox/store/messages';
import { addModelCredential, agentNodes, agentWires, tool } from '../lib/agent';
import type { Execution } from '../lib/client';
import { waitFor } from '../lib/processes';
import { useChatModel, useTestSystem } from '../lib/testHooks';

const system = useTestSystem();
const model = useChatModel();

const BOT = 'reminder-bot';
const TRIGGER = 'CometChat Bot Trigger';
const MEMORY = 'CometChat Chat Memory';

/** IDs of workflows to unpublish after a test, even a failed one. */
const published: string[] = [];

afterEach(async () => {
	for (const id of published.splice(0)) await system().client.unpublish(id);
});

const byId = (value: string) => ({ __rl: true, mode: 'id', value });

const credentials = () => ({ cometChatApi: { id: system().credentialId, name: 'CometChat' } });

let hookCount = 0;

const botTrigger = (): INode =>
	node({
		...{ name: TRIGGER, type: 'n8n-nodes-cometchat.cometChatBotTrigger' },
		webhookId: `memory-${++hookCount}`,
		...{ parameters: { botId: byId(BOT) }, credentials: credentials() },
	});

const memory = (parameters: INodeParameters = {}): INode =>
	node({
		...{ name: MEMORY, type: 'n8n-nodes-cometchat.cometChatMemory' },
		...{ parameters, credentials: credentials() },
	});

const answer = (): INode =>
	cometChat(
		system().credentialId,
		{ resource: 'message', operation: 'answer', text: '={{ $json.output }}' },
		{ name: 'Answer' },
	);

/** Returns an agent that reads its question from `chatInput`, and the agent's chat model. */
async function createAgent(typeVersion = 3): Promise<INode[]> {
	const [agent, ...others] = agentNodes(await addModelCredential(system(), model()));
	if (!agent) throw new Error('There is no agent');
	return [{ ...agent, typeVersion, parameters: { options: {} } }, ...others];
}

const memoryWire: Wire = { from: MEMORY, to: 'AI Agent', kind: 'ai_memory' };

/** Connections of the workflow from the trigger to the answer. */
const wires = (...tools: string[]): Wire[] => [
	...agentWires(TRIGGER, tools),
	memoryWire,
	{ from: 'AI Agent', to: 'Answer' },
];

async function publish(nodes: INode[], connections: Wire[]): Promise<string> {
	const { client } = system();
	const id = await client.addWorkflow(workflow('Memory', nodes, connections));
	published.push(id);
	await client.publish(id);
	return id;
}

const write = (sender: string, text: string, more: Partial<NewMessage> = {}) =>
	system().sandbox.store.sendMessage({
		...{ sender, receiver: BOT, receiverType: 'user', text },
		...more,
	});

/** Waits until the bot has sent an answer. */
const waitForAnswer = async (text: string) =>
	await waitFor(`The answer "${text}"`, () =>
		system()
			.sandbox.store.messages.all()
			.find((message) => message.sender === BOT && message.text === text),
	);

/** Lists what the model got with a request, by default the latest, except the system message, e.g. "user: Hi". */
const listHeard = (index = -1) =>
	(model().requests.at(index)?.messages ?? [])
		.filter(({ role }) => role !== 'system')
		.map(({ role, content }) => `${role}: ${content}`);

/** Waits until the workflow's latest execution has ended. */
async function waitForLast(workflowId: string): Promise<Execution> {
	const { client } = system();
	const { id } = await waitFor(
		'The execution',
		async () => (await client.listExecutions(workflowId))[0],
	);
	return await client.waitForEnd(id);
}

/** Lists the requests that read a conversation, e.g. "/users/mira/messages". */
const listReads = () =>
	system()
		.sandbox.log.filter(({ method, path }) => method === 'GET' && /\/(messages|thread)/.test(path))
		.map(({ path }) => path.replace('/v3', ''));

test('In a thread, the bot knows what two people asked, also after a restart of n8n', async () => {
	await publish([botTrigger(), ...(await createAgent()), memory(), answer()], wires());
	const inGroup = { receiver: 'all-hands', receiverType: 'group' as const };
	system().sandbox.store.addMembers('all-hands', [{ uid: BOT, scope: 'participant' }]);
	const { id: parentId } = write('leo', 'Lunch?', inGroup);
	model().respond(() => ({ text: 'Soup.' }));
	write('mira', `<@uid:${BOT}> what is there?`, { ...inGroup, parentId });
	await waitForAnswer('Soup.');
	expect(listHeard()).toEqual(['user: Leo Brandt: Lunch?', 'user: Mira Halden: what is there?']);
	await system().restart();
	model().respond(() => ({ text: 'Yes, vegan.' }));
	write('leo', `<@uid:${BOT}> vegan?`, { ...inGroup, parentId });
	await waitForAnswer('Yes, vegan.');
	expect(listHeard()).toEqual([
		'user: Leo Brandt: Lunch?\nMira Halden: what is there?',
		'assistant: Soup.',
		'user: Leo Brandt: vegan?',
	]);
});

test.each([1.9, 2.2, 3.1])(
	'Version %s of the agent knows the private chat, and nothing of others, with one read for all rounds of tools',
	async (typeVersion) => {
		const listGroups = { resource: 'group', operation: 'list' };
		const nodes = [botTrigger(), ...(await createAgent(typeVersion)), memory(), answer()];
		await publish([...nodes, tool(system(), 'Groups', listGroups)], wires('Groups'));
		model().respond(
			() => ({ text: 'Of Leo' }),
			() => ({ text: 'One.' }),
			() => ({ tool: 'Groups', values: {} }),
			() => ({ tool: 'Groups', values: {} }),
			() => ({ text: 'Two.' }),
		);
		write('leo', 'My secret');
		await waitForAnswer('Of Leo');
		write('mira', 'First?');
		await waitForAnswer('One.');
		expect(listHeard()).toEqual(['user: First?']);
		system().sandbox.log.splice(0);
		write('mira', 'Second?');
		await waitForAnswer('Two.');
		expect(listReads()).toEqual(['/users/mira/messages']);
		const [history, said, asked] = listHeard();
		expect([history, said, asked]).toEqual([
			'user: Mira Halden: First?',
			'assistant: One.',
			'user: Second?',
		]);
		expect(JSON.stringify(model().requests.slice(1))).not.toContain('secret');
	},
);

test('An agent that is the tool of another agent knows the chat, and so does Chat Memory Manager', async () => {
	const agentTool = node({
		...{ name: 'Helper', type: '@n8n/n8n-nodes-langchain.agentTool', typeVersion: 2.2 },
		parameters: { toolDescription: 'Helps', text: 'Help', options: {} },
	});
	const manager = node({
		...{ name: 'Manager', type: '@n8n/n8n-nodes-langchain.memoryManager', typeVersion: 1.1 },
		parameters: { simplifyOutput: false, options: { groupMessages: false } },
	});
	const agent = agentNodes(await addModelCredential(system(), model()));
	write('mira', 'Before');
	const id = await publish(
		[botTrigger(), manager, ...agent, agentTool, memory(), answer()],
		[
			{ from: TRIGGER, to: 'Manager' },
			{ from: MEMORY, to: 'Manager', kind: 'ai_memory' },
			...agentWires('Manager', ['Helper']),
			{ from: 'Model', to: 'Helper', kind: 'ai_languageModel' },
			{ from: MEMORY, to: 'Helper', kind: 'ai_memory' },
			{ from: 'AI Agent', to: 'Answer' },
		],
	);
	model().respond(
		() => ({ tool: 'Helper', values: {} }),
		() => ({ text: 'Helped' }),
		() => ({ text: 'Done' }),
	);
	write('mira', 'Question?');
	const { items, error } = await waitForLast(id);
	expect(error).toBeUndefined();
	expect(items('Manager')).toMatchObject([
		{ json: { role: 'user', content: 'Mira Halden: Before' } },
	]);
	expect(listHeard(1)).toEqual(['user: Mira Halden: Before', 'user: Help']);
	expect(listReads()).toEqual(['/users/mira/messages']);
});

test('Items of several conversations are refused, and nothing is read', async () => {
	const { client } = system();
	const nodes = [botTrigger(), ...(await createAgent()), memory()];
	const draft = workflow('Pinned', nodes, [...agentWires(TRIGGER, []), memoryWire]);
	const row = (replyTo: string) => ({
		json: { id: '1', chatInput: 'Hi', replyTo, replyToType: 'user', parentId: null, bot: BOT },
	});
	draft.pinData = { [TRIGGER]: [row('mira'), row('leo')] };
	const { error } = await client.runFrom(await client.addWorkflow(draft), TRIGGER);
	expect(error).toMatchObject({
		message: 'The agent got items of several conversations or questions at once',
		description: expect.stringContaining("'Loop Over Items'"),
	});
	expect([model().requests, listReads()]).toEqual([[], []]);
});

test('In a sub-workflow, the memory reads the conversation that is filled in', async () => {
	const start = node({
		...{ name: 'Start', type: 'n8n-nodes-base.executeWorkflowTrigger', typeVersion: 1.1 },
		parameters: { inputSource: 'passthrough' },
	});
	const chosen = memory({
		...{ conversation: 'user', beforeId: '={{ $json.id }}' },
		...{ botId: byId('={{ $json.bot }}'), userId: byId('={{ $json.replyTo }}') },
	});
	const below = await publish(
		[start, ...(await createAgent()), chosen],
		[...agentWires('Start', []), memoryWire],
	);
	const call = node({
		...{ name: 'Call', type: 'n8n-nodes-base.executeWorkflow', typeVersion: 1.2 },
		parameters: { workflowId: byId(below), options: {} },
	});
	write('mira', 'Before');
	await publish(
		[botTrigger(), call, answer()],
		[
			{ from: TRIGGER, to: 'Call' },
			{ from: 'Call', to: 'Answer' },
		],
	);
	model().respond(() => ({ text: 'From below' }));
	write('mira', 'Question?');
	await waitForAnswer('From below');
	expect(listHeard()).toEqual(['user: Mira Halden: Before', 'user: Question?']);
});

test('If CometChat cannot be read, the execution fails with our words, and the model gets nothing', async () => {
	const id = await publish([botTrigger(), ...(await createAgent()), memory(), answer()], wires());
	system().sandbox.setFaults([
		{ match: { path: '/v3/users/mira/messages' }, effect: { status: { status: 403 } } },
	]);
	write('mira', 'Question?');
	const { error, stored } = await waitForLast(id);
	expect(error).toMatchObject({
		message: expect.stringContaining('CometChat'),
		description: expect.stringContaining('CometChat replied'),
	});
	expect(stored).not.toContain(system().sandbox.apiKey);
	expect(model().requests).toEqual([]);
});
