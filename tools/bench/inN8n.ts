import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { IDataObject, INodeExecutionData, VersionedNodeType } from 'n8n-workflow';
import { runWorkflow } from '../n8nEngine/engine';
import { workflow } from '../n8nEngine/n8n';
import { nodeTypesByName } from '../n8nEngine/types';
import { memberOf, type Job, type Service } from './cases';
import { Floor } from './floor';
import { FLOOR, workflowOf } from './workflows';

/** n8n's own node, which only the whole n8n has. */
const load = createRequire(join(process.env.COMETCHAT_N8N_ROOT ?? '', 'package.json'));
const { HttpRequest }: { HttpRequest: new () => VersionedNodeType } = load(
	'n8n-nodes-base/dist/nodes/HttpRequest/HttpRequest.node.js',
);
const httpRequest = new HttpRequest();
nodeTypesByName.set('n8n-nodes-base.httpRequest', httpRequest.getNodeType());
nodeTypesByName.set(FLOOR, new Floor());

/** As n8n does it at its start, with the defaults of its configuration. */
export async function startEvaluator(): Promise<void> {
	await workflow.Expression.initExpressionEngine({
		engine: 'vm',
		poolSize: 1,
		maxCodeCacheSize: 1024,
		bridgeTimeout: 5000,
		bridgeMemoryLimit: 128,
	});
}

function itemsFor({ messageIds, groupIds }: Service, size: number): IDataObject[] {
	return Array.from({ length: size }, (_, index) => ({
		id: messageIds[index % messageIds.length],
		groupId: groupIds[index % groupIds.length],
		text: `Message ${index}`,
		uid: memberOf(index),
	}));
}

/** HTTP Request gives a list in pages. */
const countIn = ({ json }: INodeExecutionData): number =>
	Array.isArray(json.data) ? json.data.length : 1;

/** @returns how many items came */
export async function runInN8n({ service, contender, run }: Job): Promise<number> {
	const file = workflowOf(contender, run, service.baseUrl, httpRequest.currentVersion);
	const input = run.work === 'groups' ? undefined : itemsFor(service, run.size);
	const { baseUrl, apiKey } = service;
	const credentials = { apiKey, region: 'custom', baseUrl };
	const { items, error } = await runWorkflow(file, { credentials, input });
	if (error) throw error;
	return items('End').reduce((sum, item) => sum + countIn(item), 0);
}
