import type {
	ICredentialDataDecryptedObject,
	INode,
	INodeExecutionData,
	WorkflowExecuteMode,
} from 'n8n-workflow';

import { additionalData } from './additionalData';
import { loadNode } from './engine';
import { core } from './n8n';
import { callWebhook, serveWebhook } from './webhookServer';

export interface WebhookOptions {
	/** Credential data, keyed by credential type. Reading a credential of any other type fails. */
	credentials?: Partial<Record<string, ICredentialDataDecryptedObject>>;
	/** "manual" for n8n's "Listen for Test Event" button. */
	mode?: Extract<WorkflowExecuteMode, 'webhook' | 'manual'>;
	workflowId?: string;
	/** Called with each message that the node writes to n8n's log. */
	onLog?: (message: string) => void;
	/** Called before an execution is stored. Throw an error to simulate that n8n can't store the execution. */
	onStore?: () => Promise<void> | void;
}

/** An execution started by a webhook delivery. */
export interface Execution {
	/** Items that the trigger outputs. */
	items: INodeExecutionData[];
	/** Error thrown by the trigger, which n8n shows as a failed execution. */
	error?: Error;
}

/** An active workflow with a webhook trigger, running in a single n8n process. */
export type ActiveWebhook = Awaited<ReturnType<typeof activateWebhook>>;

/**
 * Activates one of the built package's webhook triggers with n8n's WebhookContext, behind a real HTTP
 * server. As in n8n, the workflow is reloaded for each delivery.
 */
export async function activateWebhook(trigger: INode, options: WebhookOptions = {}) {
	const { mode = 'webhook', workflowId: id = crypto.randomUUID(), credentials = {} } = options;
	const file = { name: 'Workflow', nodes: [trigger], connections: {} };
	const executions: Execution[] = [];

	const loadTrigger = () => loadNode(file, trigger.name, { id, active: true });
	const createData = () => additionalData((type) => credentials[type]);

	const { url, idle, close } = await serveWebhook(async (call) => {
		const data = Object.assign(createData(), call);
		const called = callWebhook(loadTrigger(), data, mode, null, { onLog: options.onLog });
		const result = await called.catch((error: unknown) => {
			executions.push({ items: [], error: error instanceof Error ? error : undefined });
			throw error;
		});
		if (result.workflowData) {
			await options.onStore?.();
			executions.push({ items: result.workflowData.flat() });
		}
		return result;
	});
	return {
		/** The webhook's production URL. */
		url: `${url}/webhook/${trigger.id}/webhook`,
		executions,
		/** Resolves when all deliveries have been handled. */
		idle,
		/** Runs the node's webhook methods, as n8n does when a workflow is activated. */
		async activate() {
			const { instance, node, type } = loadTrigger();
			const { default: hooks } = type.webhookMethods ?? {};
			const how = ['trigger', 'activate'] as const;
			const context = new core.HookContext(instance, node, createData(), ...how);
			if (!(await hooks?.checkExists.call(context))) await hooks?.create.call(context);
		},
		close,
	};
}
