import type { INodeParameters } from 'n8n-workflow';

import { OPERATIONS } from '../../actionNode/operations';
import { addModelCredential, agentNodes, agentWires, fromAi, tool } from '../lib/agent';
import type { ChatRequest, Turn } from '../lib/chatModel';
import type { Execution } from '../lib/client';
import { useChatModel, useEditor, useReceiver, useTestSystem } from '../lib/testHooks';
import { code, manual, workflow, type WorkflowDraft } from '../../../tools/n8nEngine/draft';

const LIST = 'List groups in CometChat';
const REMOVE = 'Remove reaction from message in CometChat';

const system = useTestSystem();
const editor = useEditor(system);
const model = useChatModel();
const stranger = useReceiver();
let modelCredential: string;

beforeAll(async () => {
	modelCredential = await addModelCredential(system(), model());
});

const byId = (value: string) => ({ __rl: true, mode: 'id', value });

const listTool = () =>
	tool(system(), LIST, {
		resource: 'group',
		operation: 'list',
		limit: fromAi('Limit', 'number'),
		output: 'simplified',
		filters: { searchKey: fromAi('Search_Key') },
	});

const removeTool = () =>
	tool(system(), REMOVE, {
		resource: 'message',
		operation: 'removeReaction',
		messageId: fromAi('Message_ID'),
		reaction: fromAi('Reaction'),
		onBehalfOf: byId(fromAi('On_Behalf_Of')),
		output: 'simplified',
	});

/** A workflow with an AI agent. On the canvas, the chat model and the tools are below the agent. */
function agentWorkflow(tools = [listTool(), removeTool()]): WorkflowDraft {
	const names = tools.map(({ name }) => name);
	const nodes = [manual(), ...agentNodes(modelCredential), ...tools];
	const draft = workflow('Agent', nodes, agentWires('Manual', names));
	const positions: Array<[number, number]> = [
		[0, 0],
		[240, 0],
		...[60, ...tools.map((_, index) => 280 + 220 * index)].map((x): [number, number] => [x, 240]),
	];
	return {
		...draft,
		nodes: draft.nodes.map((each, index) => ({ ...each, position: positions[index] })),
	};
}

/**
 * Returns the full name of a tool.
 *
 * @throws Error if no tool matches, or if the tool's schema lacks one of the given arguments
 */
function findTool(request: ChatRequest, words: RegExp, values: Record<string, unknown>): string {
	const found = request.tools.find(({ name }) => words.test(name));
	if (!found) throw new Error(`No tool ${words} among ${JSON.stringify(request.tools)}`);
	const unknown = Object.keys(values).filter((key) => !(key in found.parameters.properties));
	if (unknown.length > 0) throw new Error(`${found.name} does not take ${unknown.join(', ')}`);
	return found.name;
}

const callTool =
	(words: RegExp, values: Record<string, unknown>): Turn =>
	(request) => ({ tool: findTool(request, words, values), values });

/** Calls a tool without checking that its schema declares the arguments. */
const callAnything =
	(tool: string, values: Record<string, unknown>): Turn =>
	() => ({ tool, values });

/** Returns the result of the last tool call. */
function lastResult(request: ChatRequest): string {
	const answers = request.messages.filter(({ role }) => role === 'tool');
	return String(answers.at(-1)?.content);
}

const REACTION = { Message_ID: '105', Reaction: '#️⃣', On_Behalf_Of: 'yuki' };

/** Runs an agent whose model calls the "Remove reaction" tool. */
async function removeReaction(values: object, draft = agentWorkflow()): Promise<Execution> {
	model().respond(callTool(/^Remove_reaction/, { ...REACTION, ...values }), () => ({
		text: 'Done',
	}));
	return await system().client.runDraft(draft);
}

describe('The node as the tool of an AI agent', () => {
	test('lists groups and removes a reaction when the model calls the tools', async () => {
		model().respond(
			callTool(/^List_groups/, { Limit: 2, Search_Key: 'project' }),
			callTool(/^Remove_reaction/, REACTION),
			() => ({ text: 'Done' }),
		);
		const run = await system().client.runDraft(agentWorkflow());
		expect(run.error).toBeUndefined();
		expect(run.items('AI Agent')[0].json.output).toBe('Done');
		const groups: unknown = JSON.parse(lastResult(model().requests[1]));
		expect(JSON.stringify(groups)).toContain('project-');
		expect(lastResult(model().requests[2])).toContain('{"reaction":"#️⃣","count":1}');
		expect(system().sandbox.log.map(({ method, status }) => `${method} ${status}`)).toEqual([
			'GET 200',
			'DELETE 200',
		]);
		expect(system().sandbox.store.messages.reactionsOf('105')).toContainEqual({
			reaction: '#️⃣',
			count: 1,
		});
		expect(JSON.stringify(model().requests)).not.toContain(system().sandbox.apiKey);
	});

	test('runs every operation with arguments from the model', async () => {
		const pickers = ['groupId', 'userId', 'onBehalfOf'];
		const told = OPERATIONS.map(({ name, parameters: { resource, operation, ...rest } }) => {
			const values = Object.entries(rest).filter(([, value]) => typeof value === 'string');
			const filledIn = values.map(([key]): [string, INodeParameters[string]] => [
				key,
				pickers.includes(key) ? byId(fromAi(key)) : fromAi(key),
			]);
			const parameters = { resource, operation, ...rest, ...Object.fromEntries(filledIn) };
			return { tool: tool(system(), name, parameters), values: Object.fromEntries(values) };
		});
		const sent: string[] = [];
		const note = () => {
			// Only the first request matters. Later requests fetch further pages of a list.
			const [first] = system().sandbox.log;
			if (first) sent.push(`${first.method} ${first.url} ${first.status}`);
			system().sandbox.reset();
		};
		const turns = told.map(({ tool: { name }, values }): Turn => (request) => {
			note();
			return callTool(new RegExp(`^${name.replaceAll(' ', '_')}$`), values)(request);
		});
		model().respond(...turns, () => ({ text: 'Done' }));
		const run = await system().client.runDraft(agentWorkflow(told.map((each) => each.tool)));
		note();
		expect(run.items('AI Agent')[0].json.output).toBe('Done');
		expect(sent).toEqual(OPERATIONS.map(({ wire }) => `${wire.replace(' ', ' /v3')} 200`));
	}, 240_000);

	test('does not send a change again if CometChat may have made the change, even with Retry On Fail', async () => {
		system().sandbox.setFaults([{ effect: { status: { status: 500 } } }]);
		const draft = agentWorkflow();
		const nodes = draft.nodes.map((each) =>
			each.name === REMOVE
				? {
						...{ ...each, retryOnFail: true, waitBetweenTries: 10 },
						// Only a removal could be repeated without harm
						parameters: { ...each.parameters, operation: 'addReaction' },
					}
				: each,
		);
		await removeReaction({}, { ...draft, nodes });
		expect(lastResult(model().requests[1])).toContain('CometChat may already have added');
		expect(system().sandbox.log).toHaveLength(1);
	});

	test.each([
		['a reaction that changes the URL', { Reaction: '..' }, `'Reaction' must not be ".."`],
		[
			'a user ID that contains another header',
			{ On_Behalf_Of: 'yuki\r\napikey: other' },
			"'Reacted By' can contain only letters, digits",
		],
		['several users where one reacts', { On_Behalf_Of: 'yuki, mira' }, 'Give one ID, e.g. mira.'],
		['a message without an ID', { Message_ID: '' }, "'Message ID' is empty"],
		['a message ID that changes the URL', { Message_ID: '..' }, `'Message ID' must not be ".."`],
	])('refuses %s and explains the error to the model', async (_what, hostile, message) => {
		const run = await removeReaction(hostile);
		expect(run.items('AI Agent')[0].json.output).toBe('Done');
		expect(JSON.parse(lastResult(model().requests[1]))).toEqual([
			{ error: expect.stringContaining(message) },
		]);
		expect(system().sandbox.log).toEqual([]);
	});

	test.each(['//host', '@host', 'http://host', '../../host'])(
		'sends no request to another host if the model passes "%s" as a reaction',
		async (form) => {
			const Reaction = form.replace('host', new URL(stranger().url).host);
			await removeReaction({ Reaction });
			expect(stranger().received).toEqual([]);
			expect(system().sandbox.log.map(({ path }) => path)).toEqual([
				`/v3/messages/105/reactions/${encodeURIComponent(Reaction)}`,
			]);
		},
	);

	test.each(['group', 'Items'])(
		'uses an earlier node\'s value even if the model adds an argument "%s"',
		async (argument) => {
			const listMembers = tool(system(), 'List members', {
				resource: 'group',
				operation: 'listMembers',
				groupId: byId("={{ $('Items').item.json.group }}"),
			});
			const items = code('Items', [{ group: 'makers' }]);
			const nodes = [manual(), items, ...agentNodes(modelCredential), listMembers];
			const wires = [{ from: 'Manual', to: 'Items' }, ...agentWires('Items', [listMembers.name])];
			model().respond(callAnything('List_members', { [argument]: 'all-hands' }), () => ({
				text: 'Done',
			}));
			await system().client.runDraft(workflow('Agent', nodes, wires));
			expect(system().sandbox.log.map(({ path, status }) => `${path} ${status}`)).toEqual([
				'/v3/groups/makers/members 200',
			]);
		},
	);

	test('is shown on the canvas below its agent', async () => {
		await editor().openWorkflow(await system().client.addWorkflow(agentWorkflow()));
		const nodes = editor().page.getByTestId('canvas-node');
		expect(await nodes.filter({ hasText: 'in CometChat' }).count()).toBe(2);
	});
});
