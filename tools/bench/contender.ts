import { once } from 'node:events';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { IDataObject, INodeExecutionData, INodeType, VersionedNodeType } from 'n8n-workflow';
import { runWorkflow } from '../n8nEngine/engine';
import { workflow } from '../n8nEngine/n8n';
import { nodeTypesByName } from '../n8nEngine/types';
import type { Job, Measurement } from './cases';
import { createWorkflow, ROUTING, routingNode } from './workflows';

/** Figures that the contender's process measures itself. The service measures all other figures. */
export type ProcessFigures = Pick<Measurement, 'ms' | 'cpuMs' | 'peakMb'>;

/** Overrides that shrink a case to a warm-up run, which loads all code before the measurement. */
const WARM_UP = { size: 20, searchKey: 'generated-000001' };

/** The HTTP Request node is included only in a full n8n installation. */
const load = createRequire(join(process.env.COMETCHAT_N8N_ROOT ?? '', 'package.json'));
const { HttpRequest }: { HttpRequest: new () => VersionedNodeType } = load(
	'n8n-nodes-base/dist/nodes/HttpRequest/HttpRequest.node.js',
);
const httpRequest = new HttpRequest();
nodeTypesByName.set('n8n-nodes-base.httpRequest', httpRequest.getNodeType());

/** Initializes n8n's expression engine with n8n's default configuration. */
async function startExpressionEngine(): Promise<void> {
	await workflow.Expression.initExpressionEngine({
		engine: 'vm',
		poolSize: 1,
		maxCodeCacheSize: 1024,
		bridgeTimeout: 5000,
		bridgeMemoryLimit: 128,
	});
}

/** Counts the entities in an item. HTTP Request returns an item per page, each with several entities. */
const countIn = ({ json }: INodeExecutionData): number =>
	Array.isArray(json.data) ? json.data.length : 1;

/**
 * Runs the contender's workflow in n8n's engine.
 *
 * @returns number of entities that the workflow returned
 */
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
 * Runs a single job, passed as JSON on the command line: `contender.ts JOB`. Warms up, sends "ready" to the
 * parent process, waits for a message, does the work, and sends the figures.
 */
async function main(): Promise<void> {
	const [argument = ''] = process.argv.slice(2);
	const job: Job = JSON.parse(argument);
	const { run } = job;
	const ours = nodeTypesByName.get('n8n-nodes-cometchat.cometChat') as INodeType;
	nodeTypesByName.set(ROUTING, routingNode(ours, job.baseUrl));
	await startExpressionEngine();
	await runInN8n({ ...job, run: { ...run, ...WARM_UP } });
	process.send?.('ready');
	await once(process, 'message');
	globalThis.gc?.();
	// Starts at the beginning of a rate-limit window
	if (run.limit) await setTimeout(run.limit.ms - (Date.now() % run.limit.ms));
	const cpu = process.cpuUsage();
	const started = performance.now();
	const counts = await Promise.all(
		Array.from({ length: run.runs ?? 1 }, async () => await runInN8n(job)),
	);
	const ms = performance.now() - started;
	const { user, system } = process.cpuUsage(cpu);
	const peakMb = process.resourceUsage().maxRSS / 1024;
	const wrong = counts.find((count) => count !== run.size);
	if (wrong !== undefined) throw new Error(`${wrong} items were returned instead of ${run.size}`);
	const figures: ProcessFigures = { ms, cpuMs: (user + system) / 1000, peakMb };
	process.send?.(figures, () => process.exit(0));
}

void main();
