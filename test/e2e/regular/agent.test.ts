import type { INode } from 'n8n-workflow';

import { addModelCredential, agentNodes, agentWires, fromAi, tool } from '../lib/agent';
import { useChatModel, useTestSystem } from '../lib/testHooks';
import { code, manual, workflow } from '../../../tools/n8nEngine/draft';

const system = useTestSystem();
const model = useChatModel();

const byId = (value: string) => ({ __rl: true, mode: 'id', value });

/**
 * Runs an agent whose model calls the tool with the given arguments. Returns the result that the model
 * receives.
 */
async function callTool(
	parameters: INode['parameters'],
	values: Record<string, unknown>,
): Promise<string> {
	const nodes = [
		manual(),
		code('Items', [{ group: 'makers' }]),
		...agentNodes(await addModelCredential(system(), model())),
		tool(system(), 'CometChat', parameters),
	];
	const wires = [{ from: 'Manual', to: 'Items' }, ...agentWires('Items', ['CometChat'])];
	model().respond(
		() => ({ tool: 'CometChat', values }),
		() => ({ text: 'Done' }),
	);
	const run = await system().client.runDraft(workflow('Agent', nodes, wires));
	expect(run.items('AI Agent')[0].json.output).toBe('Done');
	return String(model().requests[1].messages.at(-1)?.content);
}

describe('The node as the tool of an AI agent', () => {
	test.each([
		['a reaction that changes the URL', { Reaction: '..' }, `'Reaction' must not be ".."`],
		[
			'a user ID that contains another header',
			{ On_Behalf_Of: 'yuki\r\napikey: other' },
			"'Reacted By' can contain only letters, digits",
		],
	])('refuses %s and explains the error to the model', async (_what, hostile, message) => {
		const parameters = {
			...{ resource: 'message', operation: 'removeReaction', messageId: '105' },
			...{ reaction: fromAi('Reaction'), onBehalfOf: byId(fromAi('On_Behalf_Of')) },
		};
		const result = await callTool(parameters, {
			...{ Reaction: '#️⃣', On_Behalf_Of: 'yuki' },
			...hostile,
		});
		expect(JSON.parse(result)).toEqual([{ error: expect.stringContaining(message) }]);
		expect(system().sandbox.log).toEqual([]);
	});

	test.each(['group', 'Items'])(
		'uses an earlier node\'s value even if the model adds an argument "%s"',
		async (argument) => {
			const parameters = {
				...{ resource: 'group', operation: 'listMembers' },
				groupId: byId("={{ $('Items').item.json.group }}"),
			};
			await callTool(parameters, { [argument]: 'all-hands' });
			expect(system().sandbox.log.map(({ path, status }) => `${path} ${status}`)).toEqual([
				'/v3/groups/makers/members 200',
			]);
		},
	);
});
