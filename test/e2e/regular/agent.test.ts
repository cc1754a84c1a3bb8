import type { INode, INodeParameters } from 'n8n-workflow';
import type { Browser } from 'playwright-core';

import { OPERATIONS } from '../../engine/operations';
import { startBrowser } from '../lib/browser';
import { type ChatRequest, type Turn } from '../lib/chatModel';
import { EditorPage } from '../lib/editorPage';
import { useChatModel, useRecorder, useStage } from '../lib/use';
import {
	COMETCHAT,
	code,
	cometChat,
	manual,
	node,
	workflow,
	type Wire,
	type WorkflowDraft,
} from '../../../tools/n8nEngine/draft';

const LIST = 'List groups in CometChat';
const REMOVE = 'Remove reaction from message in CometChat';

const stage = useStage();
const model = useChatModel();
const stranger = useRecorder();
let modelCredential: string;

beforeAll(async () => {
	modelCredential = await stage().client.addCredential('Model', 'openAiApi', {
		apiKey: 'model-key',
		url: model().url,
	});
});

const fromAi = (key: string, type = 'string'): string => `={{ $fromAI('${key}', '', '${type}') }}`;

const byId = (value: string) => ({ __rl: true, mode: 'id', value });

const tool = (name: string, parameters: INode['parameters']): INode =>
	cometChat(stage().credentialId, parameters, {
		name,
		id: name,
		type: `${COMETCHAT}Tool`,
	});

const listTool = () =>
	tool(LIST, {
		resource: 'group',
		operation: 'list',
		limit: fromAi('Limit', 'number'),
		output: 'simplified',
		filters: { searchKey: fromAi('Search_Key') },
	});

const removeTool = () =>
	tool(REMOVE, {
		resource: 'message',
		operation: 'removeReaction',
		messageId: fromAi('Message_ID'),
		reaction: fromAi('Reaction'),
		onBehalfOf: byId(fromAi('On_Behalf_Of')),
		output: 'simplified',
	});

function agentWorkflow(tools = [listTool(), removeTool()]): WorkflowDraft {
	const agent = node({
		name: 'AI Agent',
		type: '@n8n/n8n-nodes-langchain.agent',
		typeVersion: 3,
		parameters: { promptType: 'define', text: 'Tidy up', options: { maxIterations: 100 } },
	});
	const chatModel = node({
		name: 'Model',
		type: '@n8n/n8n-nodes-langchain.lmChatOpenAi',
		typeVersion: 1.2,
		parameters: { model: byId('told'), options: {} },
		credentials: { openAiApi: { id: modelCredential, name: 'Model' } },
	});
	const draft = workflow(
		'Agent',
		[manual(), agent, chatModel, ...tools],
		[
			{ from: 'Manual', to: 'AI Agent' },
			{ from: 'Model', to: 'AI Agent', kind: 'ai_languageModel' },
			...tools.map(({ name }): Wire => ({ from: name, to: 'AI Agent', kind: 'ai_tool' })),
		],
	);
	const places: Array<[number, number]> = [
		[0, 0],
		[240, 0],
		[60, 240],
		...tools.map((_, index): [number, number] => [280 + 220 * index, 240]),
	];
	const nodes = draft.nodes.map((each, index) => ({ ...each, position: places[index] }));
	return { ...draft, nodes };
}

/** Finds the tool by its name and the arguments in its schema. */
function findTool(request: ChatRequest, words: RegExp, values: Record<string, unknown>): string {
	const found = request.tools.find(({ name }) => words.test(name));
	if (!found) throw new Error(`No tool ${words} among ${JSON.stringify(request.tools)}`);
	const unknown = Object.keys(values).filter((key) => !(key in found.parameters.properties));
	if (unknown.length > 0) throw new Error(`${found.name} does not take ${unknown.join(', ')}`);
	return found.name;
}

const asks =
	(words: RegExp, values: Record<string, unknown>): Turn =>
	(request) => ({ tool: findTool(request, words, values), values });

/** Creates a turn in which the model calls a tool with arguments that the tool's schema lacks. */
const asksAnything =
	(tool: string, values: Record<string, unknown>): Turn =>
	() => ({ tool, values });

/** Returns the result of the last tool call. */
function lastResult(request: ChatRequest): string {
	const answers = request.messages.filter(({ role }) => role === 'tool');
	return String(answers.at(-1)?.content);
}

describe('The node as the tool of an AI agent', () => {
	test('lists groups and removes a reaction when the model calls the tools', async () => {
		model().say(
			asks(/^List_groups/, { Limit: 2, Search_Key: 'project' }),
			asks(/^Remove_reaction/, { Message_ID: '105', Reaction: '#️⃣', On_Behalf_Of: 'yuki' }),
			() => ({ text: 'Done' }),
		);
		const run = await stage().client.runDraft(agentWorkflow());
		expect(run.error).toBeUndefined();
		expect(run.items('AI Agent')[0].json.output).toBe('Done');
		const groups: unknown = JSON.parse(lastResult(model().requests[1]));
		expect(JSON.stringify(groups)).toContain('project-');
		expect(lastResult(model().requests[2])).toContain('#️⃣ 1');
		expect(stage().sandbox.log.map(({ method, status }) => `${method} ${status}`)).toEqual([
			'GET 200',
			'DELETE 200',
		]);
		expect(stage().sandbox.store.messages.reactionsOf('105')).toContainEqual({
			reaction: '#️⃣',
			count: 1,
		});
		expect(JSON.stringify(model().requests)).not.toContain(stage().sandbox.apiKey);
	});

	test('runs every operation with values from the model', async () => {
		const pickers = ['groupId', 'userId', 'onBehalfOf'];
		const told = OPERATIONS.map(({ name, parameters: { resource, operation, ...rest } }) => {
			const values = Object.entries(rest).filter(([, value]) => typeof value === 'string');
			const filledIn = values.map(([key]): [string, INodeParameters[string]] => [
				key,
				pickers.includes(key) ? byId(fromAi(key)) : fromAi(key),
			]);
			const parameters = { resource, operation, ...rest, ...Object.fromEntries(filledIn) };
			return { tool: tool(name, parameters), values: Object.fromEntries(values) };
		});
		const sent: string[] = [];
		const note = () => {
			// The other requests fetch further pages of a list
			const [first] = stage().sandbox.log;
			if (first) sent.push(`${first.method} ${first.url} ${first.status}`);
			stage().sandbox.reset();
		};
		const turns = told.map(({ tool: { name }, values }): Turn => (request) => {
			note();
			return asks(new RegExp(`^${name.replaceAll(' ', '_')}$`), values)(request);
		});
		model().say(...turns, () => ({ text: 'Done' }));
		const run = await stage().client.runDraft(agentWorkflow(told.map((each) => each.tool)));
		note();
		expect(run.items('AI Agent')[0].json.output).toBe('Done');
		expect(sent).toEqual(OPERATIONS.map(({ wire }) => `${wire.replace(' ', ' /v3')} 200`));
	}, 240_000);

	test('does not repeat a change that may have been made, even with Retry On Fail', async () => {
		stage().sandbox.setFaults([{ effect: { status: { status: 500 } } }]);
		const values = { Message_ID: '105', Reaction: '#️⃣', On_Behalf_Of: 'yuki' };
		model().say(asks(/^Remove_reaction/, values), () => ({ text: 'Sorry' }));
		const draft = agentWorkflow();
		const nodes = draft.nodes.map((each) =>
			each.name === REMOVE ? { ...each, retryOnFail: true, waitBetweenTries: 10 } : each,
		);
		await stage().client.runDraft({ ...draft, nodes });
		expect(lastResult(model().requests[1])).toContain('CometChat may already have removed');
		expect(stage().sandbox.log).toHaveLength(1);
	});

	test.each([
		['a reaction that changes the address', { Reaction: '..' }, `'Reaction' must not be ".."`],
		[
			'a user name that carries another header',
			{ On_Behalf_Of: 'yuki\r\napikey: other' },
			"'Reacted By' can have only letters, digits",
		],
		['a message without an ID', { Message_ID: '' }, "'Message ID' is empty"],
		[
			'a message ID that changes the address',
			{ Message_ID: '..' },
			`'Message ID' must not be ".."`,
		],
	])('refuses %s, and tells the model why', async (_what, hostile, message) => {
		const values = { Message_ID: '105', Reaction: '#️⃣', On_Behalf_Of: 'yuki', ...hostile };
		model().say(asks(/^Remove_reaction/, values), () => ({ text: 'Sorry' }));
		const run = await stage().client.runDraft(agentWorkflow());
		expect(run.items('AI Agent')[0].json.output).toBe('Sorry');
		expect(JSON.parse(lastResult(model().requests[1]))).toEqual([
			{ error: expect.stringContaining(message) },
		]);
		expect(stage().sandbox.log).toEqual([]);
	});

	test.each(['//host', '@host', 'http://host', '../../host'])(
		'stays with its own host when the model names another one as "%s"',
		async (form) => {
			const Reaction = form.replace('host', new URL(stranger().url).host);
			const values = { Message_ID: '105', Reaction, On_Behalf_Of: 'yuki' };
			model().say(asks(/^Remove_reaction/, values), () => ({ text: 'Sorry' }));
			await stage().client.runDraft(agentWorkflow());
			expect(stranger().requests).toEqual([]);
			expect(stage().sandbox.log.map(({ path }) => path)).toEqual([
				`/v3/messages/105/reactions/${encodeURIComponent(Reaction)}`,
			]);
		},
	);

	test.each(['group', 'Items'])(
		'takes a value from an earlier node as it is, also if the model adds an argument "%s"',
		async (argument) => {
			const listMembers = tool('List members', {
				resource: 'group',
				operation: 'listMembers',
				groupId: byId("={{ $('Items').item.json.group }}"),
			});
			const draft = agentWorkflow([listMembers]);
			const items = code('Items', [{ group: 'makers' }]);
			const { main: fromManual } = draft.connections.Manual;
			model().say(asksAnything('List_members', { [argument]: 'all-hands' }), () => ({
				text: 'Done',
			}));
			await stage().client.runDraft({
				...draft,
				nodes: [...draft.nodes, items],
				connections: {
					...draft.connections,
					Manual: { main: [[{ node: 'Items', type: 'main', index: 0 }]] },
					Items: { main: fromManual },
				},
			});
			expect(stage().sandbox.log.map(({ path, status }) => `${path} ${status}`)).toEqual([
				'/v3/groups/makers/members 200',
			]);
		},
	);

	test('stands on the canvas below its agent', async () => {
		const id = await stage().client.addWorkflow(agentWorkflow());
		const browser: Browser = await startBrowser();
		try {
			const editor = await EditorPage.open(browser, stage().n8n.url);
			await editor.openWorkflow(id);
			const nodes = editor.page.getByTestId('canvas-node');
			expect(await nodes.filter({ hasText: 'in CometChat' }).count()).toBe(2);
		} finally {
			await browser.close();
		}
	});
});
