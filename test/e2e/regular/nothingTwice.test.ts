import type { INode } from 'n8n-workflow';
import { setTimeout as wait } from 'node:timers/promises';

import { startBalancer } from '../lib/balancer';
import { answered, sendMessages, twiceIn } from '../lib/burst';
import type { Chosen } from '../lib/examples';
import { until } from '../lib/processes';
import { useStage } from '../lib/use';
import { LOGIN, addLogin, publishWebhook, webhookTrigger } from '../lib/webhook';
import { COMETCHAT, cometChat, node, workflow } from '../../../tools/n8nEngine/draft';

const EVENTS = 1_000;

/** Number of concurrent deliveries. */
const PARALLEL = 10;

/** Longer than CometChat waits for a response, for busy machines. */
const PATIENT = { ...LOGIN, timeoutMs: 120_000, retries: true };

const stage = useStage();
let login: Chosen;

beforeAll(async () => {
	login = await addLogin(stage().client);
});

const trigger = (parameters: INode['parameters']): INode =>
	webhookTrigger({ output: 'simplified', ...parameters }, login);

/** Publishes a workflow that starts with the trigger, and delivers chat events to it. */
async function deliverTo(...args: Parameters<typeof workflow>): Promise<string> {
	const { client, sandbox, n8n } = stage();
	const { id, url } = await publishWebhook(client, n8n, workflow(...args));
	sandbox.webhooks.set([{ ...PATIENT, url, parallel: PARALLEL }]);
	return id;
}

/** Waits until `count` executions of a workflow have succeeded. */
async function succeeded(id: string, count: number): Promise<string[]> {
	return await until(
		`Execution number ${count}`,
		async () => {
			const runs = await stage().client.executions(id);
			const ids = runs.filter(({ status }) => status === 'success').map((run) => run.id);
			return ids.length >= count ? ids : undefined;
		},
		90_000,
	);
}

test('A burst during which n8n is killed twice: every event starts the workflow, and once if it was answered with 200, counting an execution that crashed', async () => {
	const { client, sandbox } = stage();
	const { deliveries } = sandbox.webhooks;
	// During start-up n8n responds to every call with 200 until its database is migrated. Calls that reach
	// no process would use up their attempts.
	const balancer = await startBalancer(() => [stage().n8n]);
	const draft = workflow('Burst', [trigger({ events: ['message_sent'] })]);
	const { id, url } = await publishWebhook(client, balancer, draft);
	sandbox.webhooks.set([{ ...PATIENT, url, parallel: PARALLEL }]);
	const texts = sendMessages(sandbox, EVENTS);
	/** Responses and number of executions at the time n8n was killed */
	const killed: Array<{ before: Set<string>; count: number }> = [];
	for (const part of [1 / 3, 2 / 3]) {
		const some = async () => (answered(deliveries).length > EVENTS * part ? true : undefined);
		await until('Some answers', some, 120_000);
		await stage().n8n.service.stop('SIGKILL');
		const before = new Set(answered(deliveries));
		killed.push({ before, count: stage().executions(id).length });
		await stage().restart();
	}
	await sandbox.webhooks.idle();
	await balancer.close();
	const all = await until('The end of the executions', async () => {
		const executions = stage().executions(id);
		const isOver = executions.every(({ status }) => !['new', 'running'].includes(status));
		return isOver ? executions.map(({ message }) => message) : undefined;
	});
	await client.unpublish(id);
	expect(new Set(answered(deliveries))).toEqual(new Set(texts));
	expect(new Set(all)).toEqual(new Set(texts));
	const edges = [0, ...killed.map(({ count }) => count), all.length];
	const lives = edges.slice(1).map((end, index) => all.slice(edges[index], end));
	expect(lives.flatMap(twiceIn)).toEqual([]);
	for (const { before, count } of killed) {
		expect(all.slice(count).filter((text) => before.has(text))).toEqual([]);
	}
	// n8n stored these deliveries without responding
	expect(twiceIn(all).length).toBeLessThanOrEqual(PARALLEL * killed.length);
}, 600_000);

test('What a Code node counts in the static data is untouched, also beside the polling trigger', async () => {
	const { client, sandbox, credentialId } = stage();
	const count = node({
		name: 'Count',
		type: 'n8n-nodes-base.code',
		typeVersion: 2,
		parameters: {
			jsCode:
				"const kept = $getWorkflowStaticData('global');\nkept.count = (kept.count ?? 0) + 1;\nreturn [{ json: { count: kept.count } }];",
		},
	});
	const poll = node({
		name: 'Poll',
		type: `${COMETCHAT}PollingTrigger`,
		parameters: { event: 'groupCreated' },
		credentials: { cometChatApi: { id: credentialId, name: 'CometChat' } },
	});
	const wires = ['Webhook', 'Poll'].map((from) => ({ from, to: 'Count' }));
	const nodes = [trigger({ events: ['message_sent'] }), poll, count];
	const id = await deliverTo('Count', nodes, wires);
	// Sequential, since n8n saves a workflow's static data as a whole
	for (let number = 1; number <= 5; number++) {
		sendMessages(sandbox, 1);
		await succeeded(id, number);
	}
	const saved = await client.savedWorkflow(id);
	await client.unpublish(id);
	expect(JSON.parse(saved)).toMatchObject({ staticData: { global: { count: 5 } } });
}, 120_000);

test('A workflow that acts as the app does not start itself, whatever the event, where it is set so', async () => {
	const { client, sandbox, credentialId } = stage();
	const act = (name: string, parameters: INode['parameters']) =>
		cometChat(credentialId, parameters, { name });
	const message = { resource: 'message', messageId: "={{ $('Send').first().json.id }}" };
	const group = { resource: 'group', groupId: 'ideas' };
	const id = await deliverTo('Act', [
		trigger({ events: ['*'], appEvents: 'never' }),
		act('Send', { resource: 'message', operation: 'send', groupId: 'makers', text: 'Hi @yuki' }),
		act('Edit', { ...message, operation: 'update', updateFields: { text: 'Edited' } }),
		act('Delete', { ...message, operation: 'delete' }),
		act('Add', { ...group, operation: 'addMembers', uids: ['jonas'] }),
		act('Remove', { ...group, operation: 'removeMember', userId: 'jonas' }),
	]);
	sendMessages(sandbox, 1);
	await succeeded(id, 1);
	await wait(8_000);
	await sandbox.webhooks.idle();
	const runs = await client.executions(id);
	await client.unpublish(id);
	expect(runs.map(({ status }) => status)).toEqual(['success']);
	const told = sandbox.webhooks.deliveries.map(({ body }) => body.trigger);
	expect(told).toEqual(expect.arrayContaining(['message_edited', 'group_member_kicked']));
}, 120_000);

test('An execution during which n8n is killed is shown as crashed and not run again; retried by hand, it goes on where n8n saved its progress', async () => {
	const { client, sandbox, credentialId } = stage();
	const over = Date.now() + 20_000;
	const wait = node({
		name: 'Wait',
		type: 'n8n-nodes-base.code',
		typeVersion: 2,
		parameters: {
			jsCode: `await new Promise((done) => setTimeout(done, Math.max(0, ${over} - Date.now()))); return [];`,
		},
	});
	const start = async (text: string, saveExecutionProgress: boolean) => {
		const send = { resource: 'message', operation: 'send', groupId: 'makers', text };
		const nodes = [
			trigger({ events: ['group_member_joined'] }),
			cometChat(credentialId, send),
			wait,
		];
		const draft = workflow(text, nodes);
		draft.settings = { ...draft.settings, saveExecutionProgress };
		const { id, url } = await publishWebhook(client, stage().n8n, draft);
		return { id, text, webhook: { ...PATIENT, url } };
	};
	const all = [await start('Saved', true), await start('Unsaved', false)];
	sandbox.webhooks.set(all.map(({ webhook }) => webhook));
	sandbox.store.joinGroup('makers', 'jonas');
	const sent = () =>
		all.map(({ text }) => sandbox.store.messages.all().filter((each) => each.text === text).length);
	await until('The messages', async () => (Math.min(...sent()) > 0 ? true : undefined));
	// An event without a response is delivered again and starts another execution
	await sandbox.webhooks.idle();
	await stage().restart('SIGKILL');
	const runs = await Promise.all(
		all.map(async ({ id }) => {
			const [run, ...others] = await client.executions(id);
			expect(others).toEqual([]);
			return await client.ended(run.id);
		}),
	);
	expect(runs.map(({ status }) => status)).toEqual(['crashed', 'crashed']);
	expect(sent()).toEqual([1, 1]);
	for (const { id } of runs) await client.call('POST', `/executions/${id}/retry`, {});
	for (const { id } of all) await client.unpublish(id);
	expect(sent()).toEqual([1, 2]);
}, 120_000);
