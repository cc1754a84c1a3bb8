import { example } from '../lib/examples';
import { until } from '../lib/processes';
import { LOGIN, webhookTrigger, webhookUrl } from '../lib/webhook';
import { cometChat, node, workflow } from '../lib/workflow';
import type { Cluster } from './cluster';
import { openCluster } from './cluster';

/** n8n polls once a minute at most. */
const NEXT_POLL_MS = 120_000;

const EVENTS = 1_000;

let cluster: Cluster;

beforeAll(async () => {
	cluster = await openCluster({ webhooks: true });
}, 300_000);

afterAll(async () => {
	await cluster?.close();
}, 60_000);

test('What the main process polls, a worker carries on with', async () => {
	const { client, sandbox, credentialId, workers } = cluster;
	const id = await client.addWorkflow(
		example('new-group', { cometChatApi: { id: credentialId, name: 'CometChat' } }),
	);
	await client.publish(id);
	sandbox.store.createGroup({ guid: `queued-${Date.now()}` });
	const run = await until(
		'The execution',
		async () => {
			const [last] = await client.executions(id);
			return last?.status === 'success' ? await client.execution(last.id) : undefined;
		},
		NEXT_POLL_MS,
	);
	await client.unpublish(id);
	expect(run.items('Next step').map(({ json }) => json.guid)).toEqual([
		expect.stringMatching(/^queued-/),
	]);
	expect(workers.flatMap((worker) => cluster.startedBy(worker))).toContain(run.id);
	expect(await client.executions(id)).toHaveLength(1);
}, 200_000);

test('The process for webhooks takes the answer to a question, and a worker goes on with it', async () => {
	const { client, sandbox, webhooks, workers, credentialId } = cluster;
	if (!webhooks) throw new Error('There is no process for webhooks');
	const start = node({
		name: 'Start',
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2,
		webhookId: 'ask',
		parameters: { path: 'ask', httpMethod: 'GET', responseMode: 'onReceived', options: {} },
	});
	const question = cometChat(credentialId, {
		resource: 'message',
		operation: 'sendAndWait',
		groupId: 'makers',
		message: 'Order lamps?',
	});
	const id = await client.addWorkflow(workflow('Question', [start, question]));
	await client.publish(id);
	await fetch(`${webhooks.url}/webhook/ask`);
	const executionId = await until('The wait', async () => {
		const [last] = await client.executions(id);
		return last?.status === 'waiting' ? last.id : undefined;
	});
	const message = sandbox.store.messages().find(({ text = '' }) => text.startsWith('Order lamps?'));
	const [link = ''] = /http\S+/.exec(message?.text ?? '') ?? [];
	const { pathname, search } = new URL(link);
	const url = `${webhooks.url}${pathname}${search}`;
	expect(await (await fetch(url)).text()).toContain('Order lamps?');
	const body = new URLSearchParams({ approved: 'true' });
	expect((await fetch(url, { method: 'POST', body })).status).toBe(200);
	const { items } = await client.ended(executionId);
	await client.unpublish(id);
	expect(items('CometChat')[0].json.data).toMatchObject({ approved: true });
	expect(workers.flatMap((worker) => cluster.startedBy(worker))).toContain(executionId);
});

test('1,000 events that come at once are all answered, and each starts a worker once', async () => {
	const { client, sandbox, webhooks, workers } = cluster;
	if (!webhooks) throw new Error('There is no process for webhooks');
	const credentialId = await client.addCredential('Webhook', 'cometChatWebhookApi', LOGIN);
	const credentials = { cometChatWebhookApi: { id: credentialId, name: 'Webhook' } };
	const parameters = { events: ['message_sent'], output: 'simplified' };
	const draft = workflow('Burst', [webhookTrigger(parameters, credentials)]);
	const id = await client.addWorkflow(draft);
	await client.publish(id);

	const before = sandbox.webhooks.deliveries.length;
	const url = webhookUrl(webhooks, draft);
	sandbox.webhooks.set([{ url, ...LOGIN, parallel: 10, timeoutMs: 30_000 }]);
	for (let number = 0; number < EVENTS; number++) {
		sandbox.store.sendMessage({ sender: 'yuki', receiver: 'makers', text: `Message ${number}` });
	}
	await sandbox.webhooks.idle();
	const deliveries = sandbox.webhooks.deliveries.slice(before);
	const statuses = deliveries.map(({ status, error }) => error ?? status);
	expect(new Set(statuses)).toEqual(new Set([200]));
	expect(deliveries).toHaveLength(EVENTS);

	const runs = await until(
		'The end of the executions',
		async () => {
			const list = await cluster.executions(id);
			const ended = list.filter(({ status }) => !['new', 'running'].includes(status));
			return ended.length >= EVENTS ? list : undefined;
		},
		400_000,
	);
	await client.unpublish(id);
	sandbox.webhooks.set([]);
	expect(new Set(runs.map(({ status }) => status))).toEqual(new Set(['success']));
	expect(runs).toHaveLength(EVENTS);
	const parts = workers.map((worker) => cluster.startedBy(worker));
	const ids = new Set(runs.map((run) => run.id));
	const ofBurst = parts.map((part) => part.filter((each) => ids.has(each)).length);
	expect(ofBurst.every((count) => count > 0)).toBe(true);
	expect(ofBurst[0] + ofBurst[1]).toBe(EVENTS);
}, 600_000);
