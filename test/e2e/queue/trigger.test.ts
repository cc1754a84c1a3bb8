import { automation } from '../lib/automation';
import { until } from '../lib/processes';
import type { Cluster } from './cluster';
import { openCluster } from './cluster';

/** n8n polls once a minute at most. */
const NEXT_POLL_MS = 120_000;

let cluster: Cluster;

beforeAll(async () => {
	cluster = await openCluster();
}, 300_000);

afterAll(async () => {
	await cluster?.close();
}, 60_000);

test('What the main process polls, a worker carries on with', async () => {
	const { client, sandbox, credentialId, workers } = cluster;
	const id = await client.addWorkflow(
		automation('new-group', { cometChatApi: { id: credentialId, name: 'CometChat' } }),
	);
	await client.publish(id);
	sandbox.store.createGroup({ guid: 'queued' });
	const run = await until(
		'The execution',
		async () => {
			const [last] = await client.executions(id);
			return last?.status === 'success' ? await client.execution(last.id) : undefined;
		},
		NEXT_POLL_MS,
	);
	await client.unpublish(id);
	expect(run.items('Next step').map(({ json }) => json.guid)).toEqual(['queued']);
	expect(workers.flatMap((worker) => cluster.startedBy(worker))).toContain(run.id);
	expect(await client.executions(id)).toHaveLength(1);
}, 200_000);
