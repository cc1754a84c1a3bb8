import { example } from '../lib/examples';
import { until } from '../lib/processes';
import { LOGIN, webhookTrigger, webhookUrl } from '../lib/webhook';
import { workflow } from '../lib/workflow';
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
