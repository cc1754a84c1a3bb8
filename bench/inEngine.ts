import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { INodeExecutionData, INodeType, VersionedNodeType } from 'n8n-workflow';
import { runWorkflow } from '../engine/engine';
import { workflow } from '../engine/n8n';
import { nodeTypesByName } from '../engine/types';
import type { ExpressionEngine, Job } from './job';
import { requestHelper } from './requestHelper';
import { workflowOf } from './workflows';

const NODES = 'n8n-nodes-base/dist/nodes';

/** n8n's own nodes, which only the whole n8n has. */
function loadRivals() {
	const root = process.env.COMETCHAT_N8N_ROOT;
	if (!root) throw new Error('COMETCHAT_N8N_ROOT has to name the folder of a whole n8n');
	const load = createRequire(join(root, 'package.json'));
	const { HttpRequest } = load(`${NODES}/HttpRequest/HttpRequest.node.js`) as {
		HttpRequest: new () => VersionedNodeType;
	};
	const { SplitOut } = load(`${NODES}/Transform/SplitOut/SplitOut.node.js`) as {
		SplitOut: new () => INodeType;
	};
	const httpRequest = new HttpRequest();
	const splitOut = new SplitOut();
	nodeTypesByName.set('n8n-nodes-base.httpRequest', httpRequest.getNodeType());
	nodeTypesByName.set('n8n-nodes-base.splitOut', splitOut);
	nodeTypesByName.set('bench.requestHelper', requestHelper);
	return {
		httpRequest: httpRequest.currentVersion,
		splitOut: [splitOut.description.version].flat().at(-1) ?? 1,
	};
}

/** As n8n does it at its start, with the defaults of its configuration. */
async function initExpressions(engine: ExpressionEngine): Promise<void> {
	await workflow.Expression.initExpressionEngine({
		engine,
		poolSize: 1,
		maxCodeCacheSize: 1024,
		bridgeTimeout: 5000,
		bridgeMemoryLimit: 128,
	});
}

/** Runs a workflow with our node or HTTP Request in n8n's engine, and counts what came out. */
export async function runInEngine(job: Job): Promise<number> {
	const { service, contender, run } = job;
	if (contender === 'floor') throw new Error('The floor does not run in n8n');
	const { messageIds, baseUrl, apiKey } = service;
	const file = workflowOf(contender, run, baseUrl, versions);
	const { items, error } = await runWorkflow(file, {
		credentials: { apiKey, region: 'custom', baseUrl },
		input:
			run.work === 'groups'
				? undefined
				: Array.from({ length: run.size }, (_, index) => ({
						id: messageIds[index % messageIds.length],
						text: `Message ${index}`,
						reaction: `r${index}`,
					})),
	});
	if (error) throw error;
	const result = items('End');
	// HTTP Request alone gives pages
	return run.work === 'groups' && contender === 'httpRequest'
		? result.reduce((sum, item) => sum + lengthOfPage(item), 0)
		: result.length;
}

function lengthOfPage({ json }: INodeExecutionData): number {
	return Array.isArray(json.data) ? json.data.length : 0;
}

let versions = { httpRequest: 0, splitOut: 0 };

/** Loads what the runs need. */
export async function prepareEngine(engine: ExpressionEngine): Promise<void> {
	versions = loadRivals();
	await initExpressions(engine);
}
