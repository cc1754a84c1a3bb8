import type { INode, INodeParameters } from 'n8n-workflow';
import { cometChat as node, manual, workflow } from '../n8nEngine/draft';
import type { WorkflowFile } from '../n8nEngine/engine';
import { CROWD, PER_PAGE, type Case, type Contender } from './cases';

const byId = (value: string) => ({ __rl: true, mode: 'id', value });

/** Type of the node that only calls n8n's request helper. */
export const FLOOR = 'bench.floor';

/** A trigger, and one node called "End". */
const withEnd = (parameters: INodeParameters, more: Partial<INode> = {}): WorkflowFile =>
	workflow('Bench', [manual(), node('1', parameters, { name: 'End', ...more })]);

const SEND = {
	resource: 'message',
	operation: 'send',
	groupId: byId('={{ $json.groupId }}'),
	text: '={{ $json.text }}',
};

function ours({ work, searchKey }: Case, messageId: string): WorkflowFile {
	if (work === 'messages') return withEnd({ resource: 'message', operation: 'get', messageId });
	if (work === 'sends') return withEnd(SEND);
	if (work === 'removals') {
		const userId = byId('={{ $json.uid }}');
		return withEnd({
			resource: 'group',
			operation: 'removeMember',
			groupId: byId(CROWD),
			userId,
		});
	}
	const filters = searchKey === undefined ? {} : { searchKey };
	return withEnd({ resource: 'group', operation: 'list', returnAll: true, filters });
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
	if (work === 'messages') return { ...common, url: `=${baseUrl}/messages/{{ $json.id }}` };
	if (work === 'removals') {
		const url = `=${baseUrl}/groups/${CROWD}/members/{{ $json.uid }}`;
		return { ...common, method: 'DELETE', url };
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
	if (contender === 'floor') return withEnd({}, { type: FLOOR });
	const type = 'n8n-nodes-base.httpRequest';
	// As often and as long as n8n allows
	const retry = run.limit ? { retryOnFail: true, maxTries: 5, waitBetweenTries: 5_000 } : {};
	return withEnd(httpRequest(run, baseUrl), { type, typeVersion: version, ...retry });
}
