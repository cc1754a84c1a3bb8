import { once } from 'node:events';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { IDataObject, INodeExecutionData, VersionedNodeType } from 'n8n-workflow';
import { runWorkflow } from '../n8nEngine/engine';
import { workflow } from '../n8nEngine/n8n';
import { nodeTypesByName } from '../n8nEngine/types';
import type { Job, Measurement } from './cases';
import { createWorkflow, FLOOR, floorNode } from './workflows';

/** Figures that the process measures itself. The service counts the rest. */
export type ProcessFigures = Pick<Measurement, 'ms' | 'cpuMs' | 'peakMb'>;

/** Small work of the same kind, which loads all code before the measurement. */
const WARM_UP = { size: 20, searchKey: 'generated-000001' };

/** Only a whole n8n contains its HTTP Request node. */
const load = createRequire(join(process.env.COMETCHAT_N8N_ROOT ?? '', 'package.json'));
const { HttpRequest }: { HttpRequest: new () => VersionedNodeType } = load(
	'n8n-nodes-base/dist/nodes/HttpRequest/HttpRequest.node.js',
);
const httpRequest = new HttpRequest();
nodeTypesByName.set('n8n-nodes-base.httpRequest', httpRequest.getNodeType());
nodeTypesByName.set(FLOOR, floorNode());

/** Starts n8n's expression engine with n8n's default configuration. */
async function startExpressionEngine(): Promise<void> {
	await workflow.Expression.initExpressionEngine({
		engine: 'vm',
		poolSize: 1,
		maxCodeCacheSize: 1024,
		bridgeTimeout: 5000,
		bridgeMemoryLimit: 128,
	});
}

/** Number of entities in an item. HTTP Request returns one item per page of a list. */
const countIn = ({ json }: INodeExecutionData): number =>
	Array.isArray(json.data) ? json.data.length : 1;

/** @returns number of returned entities */
async function runInN8n({ contender, run, baseUrl, apiKey, ids }: Job): Promise<number> {
	const file = createWorkflow(contender, run, baseUrl, httpRequest.currentVersion);
	const itemAt = (_: unknown, index: number): IDataObject => ({ id: ids[index % ids.length] });
	const input = ids.length > 0 ? Array.from({ length: run.size }, itemAt) : undefined;
	const credentials = { apiKey, region: 'custom', baseUrl };
	const { items, error } = await runWorkflow(file, { credentials, input });
	if (error) throw error;
	return items('End').reduce((sum, item) => sum + countIn(item), 0);
}

/**
 * Runs one job in this process: `contender.ts JOB`, with a Job as JSON. Warms up, sends "ready", waits
 * for any message, does the work, and sends its figures.
 */
async function main(): Promise<void> {
	const job: Job = JSON.parse(process.argv[2]);
	const { run } = job;
	await startExpressionEngine();
	await runInN8n({ ...job, run: { ...run, ...WARM_UP } });
	process.send?.('ready');
	await once(process, 'message');
	globalThis.gc?.();
	// The work starts with a window of the rate limit
	if (run.limit) await setTimeout(run.limit.ms - (Date.now() % run.limit.ms));
	const cpu = process.cpuUsage();
	const started = performance.now();
	const count = await runInN8n(job);
	const ms = performance.now() - started;
	const { user, system } = process.cpuUsage(cpu);
	const peakMb = process.resourceUsage().maxRSS / 1024;
	if (count !== run.size) throw new Error(`${count} items were returned instead of ${run.size}`);
	const figures: ProcessFigures = { ms, cpuMs: (user + system) / 1000, peakMb };
	process.send?.(figures, () => process.exit(0));
}

main().catch((error: unknown) => {
	console.error(error);
	process.exit(1);
});
