import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IHttpRequestOptions,
	INode,
	INodeExecutionData,
	IWorkflowExecuteAdditionalData,
	WorkflowActivateMode,
	WorkflowExecuteMode,
} from 'n8n-workflow';

import { Credentials } from './credentials';
import { core, workflow } from './n8n';
import { nodeTypes } from './types';

export interface ActivationOptions {
	/** Data of the CometChat credential */
	credentials: ICredentialDataDecryptedObject;
	/** The workflow's static data as it was saved last; a new workflow has none */
	staticData?: string;
	activation?: WorkflowActivateMode;
	/** IANA name of the time zone of the workflow */
	timezone?: string;
	/** Called for every request as it will be sent, key included */
	onRequest?: (request: IHttpRequestOptions) => void;
}

/** A workflow with a polling trigger, as long as it is active in one process of n8n. */
export interface ActiveTrigger {
	/**
	 * One poll, as n8n runs it.
	 *
	 * @param mode "manual" is "Fetch Test Event"
	 * @returns the items that start the workflow, or null when it does not start
	 */
	poll(mode?: WorkflowExecuteMode): Promise<INodeExecutionData[] | null>;
	/** The static data as n8n writes it to its database: what another activation may start from. */
	staticData(): string;
}

function additionalData(options: ActivationOptions): IWorkflowExecuteAdditionalData {
	const base = 'http://127.0.0.1:5678';
	const data: Partial<IWorkflowExecuteAdditionalData> = {
		credentialsHelper: new Credentials(options.credentials, options.onRequest),
		restApiUrl: `${base}/rest`,
		instanceBaseUrl: `${base}/`,
		formWaitingBaseUrl: `${base}/form-waiting`,
		webhookWaitingBaseUrl: `${base}/webhook-waiting`,
		variables: {},
	};
	return data as IWorkflowExecuteAdditionalData;
}

/**
 * Activates a polling trigger of the built package with n8n's own PollContext. As in n8n, the
 * workflow's static data stays in memory from poll to poll, and is only observed, not rolled back,
 * when a poll fails.
 */
export function activateTrigger(trigger: INode, options: ActivationOptions): ActiveTrigger {
	const { staticData, activation = 'activate', timezone } = options;
	const saved: IDataObject = JSON.parse(staticData ?? '{}');
	const instance = new workflow.Workflow({
		id: 'workflow',
		name: 'Workflow',
		nodes: [structuredClone(trigger)],
		connections: {},
		active: true,
		nodeTypes,
		staticData: saved,
		settings: timezone === undefined ? {} : { timezone },
	});
	const node = instance.nodes[trigger.name];
	const { poll } = nodeTypes.getByNameAndVersion(node.type);
	if (!poll) throw new Error(`The node type "${node.type}" is no polling trigger`);
	const data = additionalData(options);
	return {
		async poll(mode = 'trigger') {
			await instance.expression.acquireIsolate?.();
			try {
				const context = new core.PollContext(instance, node, data, mode, activation);
				const output = await poll.call(context);
				return output === null ? null : output[0];
			} finally {
				await instance.expression.releaseIsolate?.();
			}
		},
		staticData: () => JSON.stringify(instance.staticData),
	};
}
