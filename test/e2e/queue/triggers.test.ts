import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect, createServer } from 'node:net';

import { example } from '../lib/examples';
import type { N8n } from '../lib/n8n';
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
	cluster = await openCluster({ webhooks: 2 });
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

/** What stands before the processes that take the calls: each connection goes to the next that listens. */
async function balancer(targets: N8n[]): Promise<{ url: string; close: () => void }> {
	let turn = 0;
	const server = createServer((socket) => {
		const to = (left: number) => {
			const { port } = new URL(targets[turn++ % targets.length].url);
			const upstream = connect(Number(port), '127.0.0.1', () => socket.pipe(upstream).pipe(socket));
			upstream.on('error', () =>
				upstream.connecting && left > 1 ? to(left - 1) : socket.destroy(),
			);
			upstream.on('close', () => socket.destroy());
			socket.on('error', () => upstream.destroy());
		};
		to(targets.length);
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	return { url: `http://127.0.0.1:${port}`, close: () => void server.close() };
}

const textIn = (data: string) => /Message \d+ of 1000/.exec(data)?.[0];

test('1,000 events that come at once while one of two processes that take them is killed: none is lost, and only what was not answered comes twice', async () => {
	const { client, sandbox, webhooks, workers } = cluster;
	const credentialId = await client.addCredential('Webhook', 'cometChatWebhookApi', LOGIN);
	const credentials = { cometChatWebhookApi: { id: credentialId, name: 'Webhook' } };
	const parameters = { events: ['message_sent'], output: 'simplified' };
	const draft = workflow('Burst', [webhookTrigger(parameters, credentials)]);
	const id = await client.addWorkflow(draft);
	await client.publish(id);

	const before = sandbox.webhooks.deliveries.length;
	const front = await balancer(webhooks);
	const url = webhookUrl({ url: front.url }, draft);
	sandbox.webhooks.set([{ url, ...LOGIN, parallel: 10, timeoutMs: 60_000, retries: true }]);
	for (let number = 0; number < EVENTS; number++) {
		const text = `Message ${number} of ${EVENTS}`;
		sandbox.store.sendMessage({ sender: 'yuki', receiver: 'makers', text });
	}
	const deliveries = () => sandbox.webhooks.deliveries.slice(before);
	await until(
		'A third of the answers',
		async () => (deliveries().length > EVENTS / 3 ? true : undefined),
		200_000,
	);
	await webhooks[0].service.stop('SIGKILL');
	await sandbox.webhooks.idle();
	front.close();
	const answered = deliveries().filter(({ status }) => status === 200);
	const repeated = deliveries().filter(({ attempt }) => attempt > 1);
	const texts = (list: typeof answered) => list.map(({ body }) => textIn(JSON.stringify(body)));
	expect(new Set(texts(answered)).size).toBe(EVENTS);
	expect(repeated.length).toBeGreaterThan(0);

	const runs = await until(
		'The end of the executions',
		async () => {
			const list = await cluster.executions(id);
			return list.some(({ status }) => ['new', 'running'].includes(status)) ? undefined : list;
		},
		400_000,
	);
	await client.unpublish(id);
	sandbox.webhooks.set([]);
	expect(new Set(runs.map(({ status }) => status))).toEqual(new Set(['success']));
	const started = runs.map(({ data }) => textIn(data));
	expect(new Set(started).size).toBe(EVENTS);
	const twice = started.filter((text, place) => started.indexOf(text) !== place);
	expect(texts(repeated)).toEqual(expect.arrayContaining(twice));
	const parts = workers.map((worker) => cluster.startedBy(worker));
	const ids = new Set(runs.map((run) => run.id));
	const ofBurst = parts.map((part) => part.filter((each) => ids.has(each)).length);
	expect(ofBurst.every((count) => count > 0)).toBe(true);
	expect(ofBurst[0] + ofBurst[1]).toBe(runs.length);
}, 600_000);
