import type {
	ICredentialDataDecryptedObject,
	INode,
	INodeExecutionData,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { parse } from 'node:querystring';
import { text } from 'node:stream/consumers';

import { additionalData } from './additionalData';
import { createCredentialsHelper } from './credentials';
import { load, withIsolate } from './engine';
import { core } from './n8n';
import { serve } from './serve';
import { nodeTypes } from './types';

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
export interface ActiveWebhook {
	/** The webhook's production URL. */
	readonly url: string;
	readonly executions: Execution[];
	/** Resolves when all deliveries have been handled. */
	idle(): Promise<void>;
	/** Runs the node's webhook methods, as n8n does when a workflow is activated. */
	activate(): Promise<void>;
	close: () => Promise<void>;
}

/**
 * Parses a request body based on its content type, as n8n does.
 *
 * @throws if the body doesn't match the content type
 */
export async function readBody(request: IncomingMessage): Promise<unknown> {
	const body = await text(request);
	const type = request.headers['content-type']?.split(';')[0].trim();
	if (body === '') return undefined;
	if (type === 'application/json') return JSON.parse(body);
	if (type === 'application/x-www-form-urlencoded') return parse(body);
	return type === 'text/plain' ? body : undefined;
}

/**
 * Activates one of the built package's webhook triggers with n8n's WebhookContext, behind a real HTTP
 * server. As in n8n, the workflow is reloaded for each delivery.
 */
export async function activateWebhook(
	trigger: INode,
	options: WebhookOptions = {},
): Promise<ActiveWebhook> {
	const { mode = 'webhook', workflowId = crypto.randomUUID(), onLog } = options;
	const { webhook, webhookMethods, description } = nodeTypes.getByNameAndVersion(trigger.type);
	if (!webhook) throw new Error(`The node type "${trigger.type}" is no webhook trigger`);
	const [webhookDescription] = description.webhooks ?? [];
	const { name, path } = webhookDescription;
	const executions: Execution[] = [];

	/** Loads the workflow and the data that n8n passes to its trigger. */
	function loadTrigger() {
		const file = { name: 'Workflow', nodes: [trigger], connections: {} };
		const instance = load(file, { id: workflowId, active: true });
		const node = instance.nodes[trigger.name];
		const data = additionalData(createCredentialsHelper((type) => options.credentials?.[type]));
		const called = { httpMethod: 'POST' as const, node: node.name, path, webhookDescription };
		const webhookData = { ...called, workflowId, workflowExecuteAdditionalData: data };
		return { instance, node, data, webhookData };
	}

	const run = async (request: IncomingMessage, response: ServerResponse, body: unknown) => {
		const { instance, node, data, webhookData } = loadTrigger();
		const httpRequest = Object.assign(request, { body, params: {}, query: {} });
		Object.assign(data, { httpRequest, httpResponse: response });
		const context = new core.WebhookContext(instance, node, data, mode, webhookData, [], null);
		if (onLog) {
			const log = (message: string, meta?: object) => onLog(`${message} ${JSON.stringify(meta)}`);
			Object.defineProperty(context, 'logger', { value: { error: log, warn: log } });
		}
		return await withIsolate(instance, () => webhook.call(context)).catch((error: unknown) => {
			executions.push({ items: [], error: error instanceof Error ? error : undefined });
			throw error;
		});
	};

	async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
		let body: unknown;
		try {
			body = await readBody(request);
		} catch {
			response.writeHead(422).end('Failed to parse request body');
			return;
		}
		try {
			const result = await run(request, response, body);
			if (result.workflowData) {
				await options.onStore?.();
				executions.push({ items: result.workflowData[0] });
			}
			if (!result.noWebhookResponse) response.end(JSON.stringify(result.webhookResponse ?? {}));
		} catch {
			if (!response.headersSent) response.statusCode = 500;
			response.end();
		}
	}

	const underWay = new Set<Promise<void>>();
	const { url, close } = await serve((request, response) => {
		const handled = handle(request, response).finally(() => underWay.delete(handled));
		underWay.add(handled);
	});
	return {
		url: `${url}/webhook/${trigger.id}/webhook`,
		executions,
		async idle() {
			while (underWay.size > 0) await Promise.all(underWay);
		},
		async activate() {
			const { instance, node, data, webhookData } = loadTrigger();
			const how = ['trigger', 'activate'] as const;
			const context = new core.HookContext(instance, node, data, ...how, webhookData);
			const methods = webhookMethods?.[name];
			if (!(await methods?.checkExists?.call(context))) await methods?.create?.call(context);
		},
		close,
	};
}
