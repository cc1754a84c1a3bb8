import type { INode, INodeParameters } from 'n8n-workflow';
import type { WorkflowFile } from '../engine/engine';
import { CROWD, PER_PAGE, SENDER, type Case, type Contender } from './cases';

/** A trigger, and one node called "End". */
function workflow(end: Pick<INode, 'type' | 'parameters'> & Partial<INode>): WorkflowFile {
	const start = { type: 'n8n-nodes-base.manualTrigger', parameters: {}, name: 'Start' };
	const nodes = [start, { ...end, name: 'End' }].map((node, index): INode => ({
		id: String(index),
		typeVersion: 1,
		position: [index * 200, 0],
		credentials: { cometChatApi: { id: '1', name: 'CometChat' } },
		...node,
	}));
	const connections = { Start: { main: [[{ node: 'End', type: 'main' as const, index: 0 }]] } };
	return { name: 'Bench', nodes, connections, settings: { executionOrder: 'v1' } };
}

const byId = (value: string) => ({ __rl: true, mode: 'id', value });

const cometChat = (parameters: INodeParameters): WorkflowFile =>
	workflow({ type: 'n8n-nodes-cometchat.cometChat', parameters });

const SEND = {
	resource: 'message',
	operation: 'send',
	groupId: byId('={{ $json.groupId }}'),
	text: '={{ $json.text }}',
};

/** A message of this user for each item. */
export const sendsOf = (sender: string): WorkflowFile =>
	cometChat({ ...SEND, onBehalfOf: byId(sender) });

function ours({ work, searchKey }: Case, messageId: string): WorkflowFile {
	const message = { resource: 'message', messageId };
	if (work === 'messages') return cometChat({ ...message, operation: 'get' });
	if (work === 'sends') return cometChat(SEND);
	if (work === 'removals') {
		const userId = byId('={{ $json.uid }}');
		return cometChat({
			resource: 'group',
			operation: 'removeMember',
			groupId: byId(CROWD),
			userId,
		});
	}
	if (work === 'reactions') {
		const reaction = { reaction: '={{ $json.reaction }}', onBehalfOf: byId(SENDER) };
		return cometChat({ ...message, operation: 'addReaction', ...reaction });
	}
	const filters = searchKey === undefined ? {} : { searchKey };
	return cometChat({ resource: 'group', operation: 'list', returnAll: true, filters });
}

/**
 * The batches of HTTP Request with which it gets through the limit in the least time that was
 * found: a few less than the limit, because its pauses are not aligned to the service's clock.
 */
const BATCHING = { batching: { batch: { batchSize: 300, batchInterval: 1_000 } } };

const PAGES =
	'$response.body.meta.pagination.current_page >= $response.body.meta.pagination.total_pages';

/** The end of the list is seen from the pagination of the response, so that no empty page is fetched. */
const PAGINATION = {
	paginationMode: 'updateAParameterInEachRequest',
	parameters: { parameters: [{ type: 'qs', name: 'page', value: '={{ $pageCount + 1 }}' }] },
	paginationCompleteWhen: 'other',
	completeExpression: `={{ ${PAGES} }}`,
};

const BODY =
	"{ receiver: $json.groupId, receiverType: 'group', category: 'message', type: 'text', data: { text: $json.text } }";

/** HTTP Request as its documentation says, in the configuration that was the fastest. */
function httpRequest({ work, searchKey, limit }: Case, baseUrl: string): INodeParameters {
	const common = {
		authentication: 'predefinedCredentialType',
		nodeCredentialType: 'cometChatApi',
		options: limit ? BATCHING : {},
	};
	const message = `=${baseUrl}/messages/{{ $json.id }}`;
	if (work === 'messages') return { ...common, url: message };
	if (work === 'removals') {
		const url = `=${baseUrl}/groups/${CROWD}/members/{{ $json.uid }}`;
		return { ...common, method: 'DELETE', url };
	}
	if (work === 'reactions') {
		const headers = { parameters: [{ name: 'onBehalfOf', value: SENDER }] };
		const url = `${message}/reactions/{{ $json.reaction }}`;
		return { ...common, method: 'POST', url, sendHeaders: true, headerParameters: headers };
	}
	if (work === 'sends') {
		const body = { sendBody: true, specifyBody: 'json', jsonBody: `={{ ${BODY} }}` };
		return { ...common, method: 'POST', url: `${baseUrl}/messages`, ...body };
	}
	const parameters = [{ name: 'perPage', value: String(PER_PAGE) }];
	if (searchKey !== undefined) parameters.push({ name: 'searchKey', value: searchKey });
	const query = { sendQuery: true, queryParameters: { parameters } };
	const options = { pagination: { pagination: PAGINATION } };
	return { ...common, url: `${baseUrl}/groups`, ...query, options };
}

/**
 * The workflow of a contender that runs in n8n. Its last node is called "End".
 *
 * @param version of HTTP Request
 */
export function workflowOf(
	contender: Contender,
	run: Case,
	baseUrl: string,
	version: number,
): WorkflowFile {
	if (contender === 'ours' || contender === 'before') return ours(run, '={{ $json.id }}');
	if (contender === 'computed') return ours(run, '={{ String($json.id) }}');
	const type = 'n8n-nodes-base.httpRequest';
	const request = { type, typeVersion: version, parameters: httpRequest(run, baseUrl) };
	// As often and as long as n8n allows
	const retry = run.limit ? { retryOnFail: true, maxTries: 5, waitBetweenTries: 5_000 } : {};
	return workflow({ ...request, ...retry });
}
