import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	INode,
	INodeParameters,
	IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';

import { Credentials } from '../../../engine/credentials';
import { core, workflow } from '../../../engine/n8n';
import { nodeTypes } from '../../../engine/types';
import type { Template } from '../../../nodes/CometChat/operation/runItem';
import type { ItemContext } from '../../../nodes/CometChat/operation/runState';

export interface ContextOptions {
	credentials: ICredentialDataDecryptedObject;
	parameters?: INodeParameters;
	/** How many items the run has */
	count?: number;
	/** The node's settings, such as "On Error" */
	settings?: Partial<INode>;
	/** Stops the execution */
	signal?: AbortSignal;
}

function additionalData(credentials: ICredentialDataDecryptedObject) {
	const base = 'http://127.0.0.1:5678';
	const data: Partial<IWorkflowExecuteAdditionalData> = {
		credentialsHelper: new Credentials(credentials),
		currentNodeExecutionIndex: 0,
		restApiUrl: `${base}/rest`,
		instanceBaseUrl: `${base}/`,
		formWaitingBaseUrl: `${base}/form-waiting`,
		webhookWaitingBaseUrl: `${base}/webhook-waiting`,
		executionId: '1',
		variables: {},
	};
	return data as IWorkflowExecuteAdditionalData;
}

/** n8n's own contexts of the items of one run, as RoutingNode hands them to an operation. */
export function contextsOf(options: ContextOptions): ItemContext[] {
	const { credentials, parameters = {}, count = 1, settings, signal } = options;
	const node: INode = {
		id: '1',
		name: 'CometChat',
		type: 'n8n-nodes-cometchat.cometChat',
		typeVersion: 1,
		position: [0, 0],
		parameters,
		credentials: { cometChatApi: { id: '1', name: 'CometChat' } },
		...settings,
	};
	const instance = new workflow.Workflow({
		id: '1',
		nodes: [node],
		connections: {},
		active: false,
		nodeTypes,
		settings: { timezone: 'Europe/Berlin' },
	});
	const items = Array.from({ length: count }, (_, i) => ({ json: { i } as IDataObject }));
	const data = { main: [items] };
	const started = instance.getNode(node.name) ?? node;
	const executeData = { node: started, data, source: null };
	return items.map((_item, itemIndex) => {
		const context = new core.ExecuteSingleContext(
			instance,
			started,
			additionalData(credentials),
			'manual',
			workflow.createEmptyRunExecutionData(),
			0,
			items,
			data,
			itemIndex,
			executeData,
			signal,
		);
		return Object.assign(context, {
			makeRoutingRequest: () => Promise.reject(new Error("n8n's own request is not used")),
		});
	});
}

/** What n8n hands an operation with its context: the request as described, and request options. */
export const templateOf = (options: Template['options']): Template => ({
	options,
	preSend: [],
	postReceive: [],
});
