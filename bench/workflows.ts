import type { INode, INodeParameters } from 'n8n-workflow';
import type { WorkflowFile } from '../engine/engine';
import type { Case, Contender } from './cases';
import { PER_PAGE } from './cases';

const CREDENTIALS = { cometChatApi: { id: '1', name: 'CometChat' } };

type Step = Pick<
	INode,
	'type' | 'typeVersion' | 'retryOnFail' | 'maxTries' | 'waitBetweenTries'
> & {
	parameters: INodeParameters;
	withCredentials?: boolean;
};

type Named = Step & { name: string };

/** Trigger and steps, one after the other. The last one is called "End". */
function chain(name: string, steps: Step[]): WorkflowFile {
	const named = steps.map((step, index): Named => ({
		...step,
		name: index === steps.length - 1 ? 'End' : `Step ${index + 1}`,
	}));
	const trigger: Named = {
		type: 'n8n-nodes-base.manualTrigger',
		typeVersion: 1,
		name: 'Start',
		parameters: {},
	};
	const nodes = [trigger, ...named].map((node, index): INode => ({
		id: String(index),
		name: node.name,
		type: node.type,
		typeVersion: node.typeVersion,
		position: [index * 200, 0],
		parameters: node.parameters,
		retryOnFail: node.retryOnFail,
		maxTries: node.maxTries,
		waitBetweenTries: node.waitBetweenTries,
		...(node.withCredentials ? { credentials: CREDENTIALS } : {}),
	}));
	return {
		name,
		nodes,
		connections: Object.fromEntries(
			nodes
				.slice(1)
				.map((node, index) => [
					nodes[index].name,
					{ main: [[{ node: node.name, type: 'main' as const, index: 0 }]] },
				]),
		),
		settings: { executionOrder: 'v1' },
	};
}

function cometChat({ work, searchKey }: Case): INodeParameters {
	const byId = { resource: 'message', messageId: '={{ $json.id }}' };
	if (work === 'messages') return { ...byId, operation: 'get' };
	if (work === 'reactions') {
		const onBehalfOf = { __rl: true, mode: 'id', value: USER };
		return { ...byId, operation: 'addReaction', reaction: '={{ $json.reaction }}', onBehalfOf };
	}
	if (work === 'sends') {
		const groupId = { __rl: true, mode: 'id', value: GROUP };
		return { resource: 'message', operation: 'send', groupId, text: '={{ $json.text }}' };
	}
	const filters = searchKey === undefined ? {} : { searchKey };
	return { resource: 'group', operation: 'list', returnAll: true, filters };
}

/** In the sample data: a user who may see its messages, and a group. */
export const USER = 'mira';
const GROUP = 'all-hands';

/**
 * The batches of HTTP Request with which it gets through the limit in the least time that was
 * found: a few less than the limit, because its pauses are not aligned to the service's clock.
 */
const BATCH = { batchSize: 300, batchInterval: 1_000 };

const AUTHENTICATION = {
	authentication: 'predefinedCredentialType',
	nodeCredentialType: 'cometChatApi',
};

/**
 * HTTP Request as its documentation says, in the configuration that was the fastest: the end of the
 * list is seen from the pagination of the answer, so that no empty page is fetched.
 */
function httpRequest({ work, searchKey, limit }: Case, baseUrl: string): INodeParameters {
	const options = limit ? { batching: { batch: BATCH } } : {};
	const byId = { ...AUTHENTICATION, url: `=${baseUrl}/messages/{{ $json.id }}`, options };
	if (work === 'messages') return byId;
	if (work === 'reactions') {
		return {
			...byId,
			method: 'POST',
			url: `=${baseUrl}/messages/{{ $json.id }}/reactions/{{ $json.reaction }}`,
			sendHeaders: true,
			headerParameters: { parameters: [{ name: 'onBehalfOf', value: USER }] },
		};
	}
	if (work === 'sends') {
		return {
			...AUTHENTICATION,
			options,
			method: 'POST',
			url: `${baseUrl}/messages`,
			sendBody: true,
			specifyBody: 'json',
			jsonBody: `={{ { receiver: '${GROUP}', receiverType: 'group', category: 'message', type: 'text', data: { text: $json.text } } }}`,
		};
	}
	const parameters = [{ name: 'perPage', value: String(PER_PAGE) }];
	if (searchKey !== undefined) parameters.push({ name: 'searchKey', value: searchKey });
	return {
		...AUTHENTICATION,
		url: `${baseUrl}/groups`,
		sendQuery: true,
		queryParameters: { parameters },
		options: {
			pagination: {
				pagination: {
					paginationMode: 'updateAParameterInEachRequest',
					parameters: {
						parameters: [{ type: 'qs', name: 'page', value: '={{ $pageCount + 1 }}' }],
					},
					paginationCompleteWhen: 'other',
					completeExpression:
						'={{ $response.body.meta.pagination.current_page >= $response.body.meta.pagination.total_pages }}',
				},
			},
		},
	};
}

/**
 * The workflow of a contender that runs in n8n. Its last node is called "End".
 *
 * @param versions the newest versions of n8n's own nodes
 */
export function workflowOf(
	contender: Exclude<Contender, 'floor'>,
	run: Case,
	baseUrl: string,
	versions: { httpRequest: number; splitOut: number },
): WorkflowFile {
	if (contender === 'ours' || contender === 'oursComputed') {
		const type = 'n8n-nodes-cometchat.cometChat';
		const parameters =
			contender === 'ours'
				? cometChat(run)
				: { ...cometChat(run), messageId: '={{ String($json.id) }}' };
		return chain(run.work, [{ type, typeVersion: 1, parameters, withCredentials: true }]);
	}
	if (contender === 'requestHelper') {
		const parameters = { url: `=${baseUrl}/messages/{{ $json.id }}` };
		const type = 'bench.requestHelper';
		return chain(run.work, [{ type, typeVersion: 1, parameters, withCredentials: true }]);
	}
	const request: Step = {
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: versions.httpRequest,
		parameters: httpRequest(run, baseUrl),
		withCredentials: true,
		// As often and as long as n8n allows
		...(run.limit ? { retryOnFail: true, maxTries: 5, waitBetweenTries: 5_000 } : {}),
	};
	const splitOut: Step = {
		type: 'n8n-nodes-base.splitOut',
		typeVersion: versions.splitOut,
		parameters: { fieldToSplitOut: 'data', options: {} },
	};
	return chain(run.work, contender === 'httpRequest' ? [request] : [request, splitOut]);
}
