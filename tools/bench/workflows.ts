import type { INode, INodeParameters, INodeProperties, INodeType } from 'n8n-workflow';
import { cometChat as node, manual, workflow } from '../n8nEngine/draft';
import type { WorkflowFile } from '../n8nEngine/engine';
import { PER_PAGE, type Case, type Contender } from './cases';

/** Type of a node that has our node's description and no code. */
export const ROUTING = 'bench.routing';

/** Creates a node with another node's properties, whose Get requests n8n's RoutingNode sends. */
export function routingNode({ description }: INodeType, baseURL: string): INodeType {
	const url = '=/messages/{{ encodeURIComponent($parameter.messageId) }}';
	const request = { method: 'GET' as const, url };
	const withoutRouting = (key: string, value: unknown) => (key === 'routing' ? undefined : value);
	const properties: INodeProperties[] = JSON.parse(
		JSON.stringify(description.properties, withoutRouting),
	);
	for (const property of properties)
		if (property.name === 'operation') property.routing = { request };
	return { description: { ...description, requestDefaults: { baseURL }, properties } };
}

/** Creates a workflow with a Manual Trigger and a single node named "End". */
const withEnd = (parameters: INodeParameters, more: Partial<INode> = {}): WorkflowFile =>
	workflow('Bench', [manual(), node('1', parameters, { name: 'End', ...more })]);

function ours({ work, searchKey }: Case): INodeParameters {
	if (work === 'messages') {
		return { resource: 'message', operation: 'get', messageId: '={{ $json.id }}' };
	}
	const filters = searchKey === undefined ? {} : { searchKey };
	return { resource: 'group', operation: 'list', returnAll: true, filters };
}

/**
 * Fastest batch settings that stay below the rate limit. Batches must be smaller than the limit because
 * their pauses aren't aligned with the service's rate-limit windows.
 */
const BATCHING = { batching: { batch: { batchSize: 300, batchInterval: 1_000 } } };

const PAGES =
	'$response.body.meta.pagination.current_page >= $response.body.meta.pagination.total_pages';

/** Detects the last page from the response, so that no empty page is requested. */
const PAGINATION = {
	paginationMode: 'updateAParameterInEachRequest',
	parameters: { parameters: [{ type: 'qs', name: 'page', value: '={{ $pageCount + 1 }}' }] },
	paginationCompleteWhen: 'other',
	completeExpression: `={{ ${PAGES} }}`,
};

/** Parameters for the HTTP Request node in its fastest documented configuration. */
function httpRequest({ work, searchKey, limit }: Case, baseUrl: string): INodeParameters {
	const common = {
		authentication: 'predefinedCredentialType',
		nodeCredentialType: 'cometChatApi',
		options: limit ? BATCHING : {},
	};
	if (work === 'messages') return { ...common, url: `=${baseUrl}/messages/{{ $json.id }}` };
	const parameters = [{ name: 'perPage', value: String(PER_PAGE) }];
	if (searchKey !== undefined) parameters.push({ name: 'searchKey', value: searchKey });
	const query = { sendQuery: true, queryParameters: { parameters } };
	const options = { pagination: { pagination: PAGINATION } };
	return { ...common, url: `${baseUrl}/groups`, ...query, options };
}

/**
 * Creates a contender's workflow, in which the last node is named "End".
 *
 * @param version type version of the HTTP Request node
 */
export function createWorkflow(
	contender: Contender,
	run: Case,
	baseUrl: string,
	version: number,
): WorkflowFile {
	if (contender === 'routing') return withEnd(ours(run), { type: ROUTING });
	if (contender !== 'httpRequest') return withEnd(ours(run));
	const type = 'n8n-nodes-base.httpRequest';
	// n8n's maximum number of attempts and maximum pause between attempts
	const retry = run.limit ? { retryOnFail: true, maxTries: 5, waitBetweenTries: 5_000 } : {};
	return withEnd(httpRequest(run, baseUrl), { type, typeVersion: version, ...retry });
}
