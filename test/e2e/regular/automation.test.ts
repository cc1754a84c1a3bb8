import { automation, runFrom } from '../lib/automation';
import type { Chosen } from '../lib/automation';
import type { ChatModel } from '../lib/chatModel';
import { startChatModel } from '../lib/chatModel';
import { until } from '../lib/processes';
import type { Stage } from '../lib/stage';
import { openStage } from '../lib/stage';

let stage: Stage;
let model: ChatModel;
let chosen: Chosen;

beforeAll(async () => {
	[stage, model] = await Promise.all([openStage(), startChatModel()]);
	const modelCredential = await stage.client.addCredential('Model', 'openAiApi', {
		apiKey: 'model-key',
		url: model.url,
	});
	chosen = {
		cometChatApi: { id: stage.credentialId, name: 'CometChat' },
		openAiApi: { id: modelCredential, name: 'Model' },
	};
});

beforeEach(() => stage.sandbox.reset());

afterAll(async () => {
	await model?.close();
	await stage?.close();
});

test('The nightly inventory counts all groups by type', async () => {
	const { client, sandbox } = stage;
	const id = await client.addWorkflow(automation('nightly-inventory', chosen));
	const run = await runFrom(client, id, 'Every night');
	expect(run.error).toBeUndefined();
	const groups = sandbox.store.groups();
	const [{ json }] = run.items('Keep it');
	expect(json).toMatchObject({
		groups: groups.length,
		members: groups.reduce((sum, { members }) => sum + members.length, 0),
		byType: { password: groups.filter(({ type }) => type === 'password').length },
	});
});

test('The clean-up removes what it can, and says by the error output what it cannot', async () => {
	const { client, sandbox } = stage;
	const id = await client.addWorkflow(automation('reaction-cleanup', chosen));
	const run = await runFrom(client, id, 'When clicking ‘Execute workflow’');
	expect(run.status).toBe('success');
	expect(run.items('Removed').map(({ json }) => json.id)).toEqual(['101', '101']);
	expect(sandbox.store.message('101')?.reactions.has('👍')).toBe(false);
	expect(run.items('Not removed').map(({ json }) => json)).toEqual([
		{ messageId: '103', user: 'leo', reason: expect.stringContaining('ERR_REACTION_NOT_FOUND') },
		{ messageId: '999999', user: 'leo', reason: expect.stringContaining('No message has this ID') },
	]);
	expect(run.stored).not.toContain(sandbox.apiKey);
});

test('The agent looks at a message by itself', async () => {
	const { client } = stage;
	model.say(
		({ tools }) => ({
			tool: tools[0].name,
			values: { Message_ID: '101', On_Behalf_Of: 'jonas' },
		}),
		({ messages }) => ({ text: `It says: ${messages.at(-1)?.content}` }),
	);
	const id = await client.addWorkflow(automation('agent-tool', chosen));
	const run = await runFrom(client, id, 'When clicking ‘Execute workflow’');
	expect(run.error).toBeUndefined();
	expect(String(run.items('Agent')[0].json.output)).toContain('Did the samples arrive?');
	expect(stage.sandbox.log.at(-1)).toMatchObject({
		path: '/v3/messages/101',
		headers: { onbehalfof: 'jonas' },
	});
});

test('The incremental sync gives all groups at first, then each change once', async () => {
	const { client, sandbox } = stage;
	const everySecond = { rule: { interval: [{ field: 'seconds', secondsInterval: 1 }] } };
	const id = await client.addWorkflow(
		automation('incremental-sync', chosen, { 'Every hour': everySecond }),
	);
	/** GUIDs that all runs so far have given, run by run; a run with nothing gives none. */
	const given = async (): Promise<string[]> => {
		const runs = await client.executions(id);
		const ended = runs.filter(({ status }) => status === 'success');
		const executions = await Promise.all(ended.map((run) => client.execution(run.id)));
		return executions.flatMap((run) =>
			run.items('Changed groups').map(({ json }) => String(json.guid)),
		);
	};
	const all = sandbox.store.groups().map(({ guid }) => guid);
	await client.publish(id);
	await until('The first sync', async () => {
		return (await given()).length >= all.length ? true : undefined;
	});
	sandbox.store.updateGroup('brand', { name: 'Changed' });
	sandbox.store.createGroup({ guid: 'fresh' });
	const expected = [...all, 'brand', 'fresh'].sort();
	await until('The second sync', async () => {
		return (await given()).length >= expected.length ? true : undefined;
	});
	const requests = sandbox.log.length;
	await until('Another run', async () => (sandbox.log.length > requests + 2 ? true : undefined));
	await client.unpublish(id);
	expect((await given()).sort()).toEqual(expected);
	expect(sandbox.violations).toEqual([]);
});
