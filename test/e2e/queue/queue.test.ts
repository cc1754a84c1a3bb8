import type { INode } from 'n8n-workflow';

import type { StoredExecution } from '../lib/burst';
import { FINAL } from '../lib/client';
import { waitFor } from '../lib/processes';
import { cometChat, node, workflow } from '../../../tools/n8nEngine/draft';
import { useCluster, webhookNode } from './cluster';

const cluster = useCluster({ fastRecovery: true });

const GET_ONE = { resource: 'message', operation: 'get', messageId: '={{ $json.query.id }}' };

/** Publishes a workflow that starts with a webhook, and returns its ID. */
async function publish(name: string, nodes: INode[]): Promise<string> {
	const id = await cluster().client.addWorkflow(workflow(name, nodes));
	await cluster().client.publish(id);
	return id;
}

/** Calls a webhook `count` times, with up to 20 calls in parallel. */
async function call(path: string, count: number, query: (index: number) => string): Promise<void> {
	let next = 0;
	const caller = async () => {
		for (let index = next++; index < count; index = next++) {
			const answer = await fetch(`${cluster().main.url}/webhook/${path}?${query(index)}`);
			expect(answer.status).toBe(200);
		}
	};
	await Promise.all(Array.from({ length: 20 }, caller));
}

async function waitForEnd(workflowId: string, count: number): Promise<StoredExecution[]> {
	let list: StoredExecution[] = [];
	const all = waitFor(
		`The end of ${count} executions`,
		async () => {
			list = await cluster().executions(workflowId);
			const ended = list.filter(({ status }) => FINAL.includes(status));
			return list.length >= count && ended.length === list.length ? list : undefined;
		},
		120_000,
	);
	return await all.catch((error: unknown) => {
		throw new Error(`${String(error)}: ${JSON.stringify(countByStatus(list))}`);
	});
}

function countByStatus(list: StoredExecution[]): Record<string, number> {
	const counts: Record<string, number> = {};
	for (const { status } of list) counts[status] = (counts[status] ?? 0) + 1;
	return counts;
}

const messageIdAt = (index: number): string => String(101 + (index % 16));

describe('Two workers', () => {
	test('complete all executions under a shared rate limit', async () => {
		cluster().sandbox.setFaults([{ effect: { window: { requests: 20, ms: 200 } } }]);
		const many = node({
			name: 'Items',
			type: 'n8n-nodes-base.code',
			typeVersion: 2,
			parameters: {
				jsCode:
					'return Array.from({ length: 20 }, (_, n) => ({ json: { query: { id: String(101 + n % 16) } } }));',
			},
		});
		const path = `limited-${Date.now()}`;
		const id = await publish('Limited', [
			webhookNode(path),
			many,
			cometChat(cluster().credentialId, GET_ONE),
		]);
		await call(path, 20, () => '');
		expect(countByStatus(await waitForEnd(id, 20))).toEqual({ success: 20 });
		const { byStatus: answers } = cluster().sandbox.stats;
		expect(answers[200]).toBe(400);
		expect(answers[429]).toBeGreaterThan(0);
	}, 240_000);

	test("run each execution once if a worker is killed, and only the killed worker's executions fail", async () => {
		const path = `killed-${Date.now()}`;
		cluster().sandbox.setFaults([{ effect: { latency: { ms: 400 } } }]);
		const id = await publish('Killed', [
			webhookNode(path),
			cometChat(cluster().credentialId, GET_ONE),
		]);
		const before = cluster().workers.map((worker) => cluster().listStartedBy(worker).length);
		const [victim, other] = cluster().workers;
		const calls = call(path, 200, (index) => `id=${messageIdAt(index)}`);
		await waitFor(
			'Work of the first worker',
			() => cluster().listStartedBy(victim).length >= before[0] + 10,
		);
		process.kill(victim.service.pid, 'SIGKILL');
		await calls;
		const list = await waitForEnd(id, 200);

		expect(list).toHaveLength(200);
		expect(new Set(list.map((execution) => execution.id)).size).toBe(200);
		const counts = countByStatus(list);
		const lost = 200 - counts.success;
		// Only the executions on the killed worker may fail
		expect(lost).toBeGreaterThan(0);
		expect(lost).toBeLessThanOrEqual(5);
		const started = [
			...cluster().listStartedBy(victim).slice(before[0]),
			...cluster().listStartedBy(other).slice(before[1]),
		];
		expect(new Set(started).size).toBe(started.length);
		const idsWith = (wanted: boolean) =>
			list.filter(({ status }) => (status === 'success') === wanted).map((one) => one.id);
		expect(started).toEqual(expect.arrayContaining(idsWith(true)));
		const ofOther = new Set(cluster().listStartedBy(other));
		expect(idsWith(false).filter((failed) => ofOther.has(failed))).toEqual([]);
	}, 300_000);
});
