import type {
	ICredentialDataDecryptedObject,
	IHttpRequestOptions,
	INode,
	INodeCredentialsDetails,
	INodeExecutionData,
	IWebhookResponseData,
	IWorkflowExecuteAdditionalData,
	WebhookType,
	Workflow,
	WorkflowActivateMode,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { parse } from 'node:querystring';
import { text } from 'node:stream/consumers';

import { additionalData } from './additionalData';
import { Credentials } from './credentials';
import { core, workflow } from './n8n';
import { serve } from './serve';
import { nodeTypes } from './types';

export interface WebhookOptions {
	/** Data of the credentials, by their type; one that is left out cannot be read */
	credentials?: Partial<Record<string, ICredentialDataDecryptedObject>>;
	/** "manual" is "Listen for Test Event" */
	mode?: Extract<WorkflowExecuteMode, 'webhook' | 'manual'>;
	workflowId?: string;
	/** Called for every request as it will be sent, key included */
	onRequest?: (request: IHttpRequestOptions) => void;
	/** Called with what the node writes to n8n's log */
	onLog?: (message: string) => void;
	/** Called with the static data of the workflow as JSON, when the node has changed it */
	onStaticData?: (json: string) => void;
	/** Called before an execution is stored; when it throws, n8n cannot store it */
	onStore?: () => Promise<void> | void;
}

/** An execution that a delivery started. */
export interface Execution {
	/** What the trigger gave */
	items: INodeExecutionData[];
	/** Set when the trigger failed: n8n shows it as a failed execution */
	error?: Error;
}

/** A workflow with a webhook trigger, as long as it is active in one process of n8n. */
export interface ActiveWebhook {
	/** The production URL */
	readonly url: string;
	readonly executions: Execution[];
	/** Resolves when every delivery that came has been handled to its end. */
	idle(): Promise<void>;
	/** Calls what n8n calls when the workflow is activated. */
	activate(): Promise<void>;
	close(): Promise<void>;
}

/** Credentials of several types. */
class CredentialsByType extends Credentials {
	constructor(private readonly options: WebhookOptions) {
		super({}, options.onRequest);
	}

	override async getDecrypted(
		_additionalData?: IWorkflowExecuteAdditionalData,
		_details?: INodeCredentialsDetails,
		type = '',
	): Promise<ICredentialDataDecryptedObject> {
		const data = this.options.credentials?.[type];
		if (data === undefined) throw new Error(`There is no credential of the type "${type}"`);
		return { ...data };
	}
}

/** The body as n8n reads it, by its content type. @throws when it is not of that type */
export async function bodyOf(request: IncomingMessage): Promise<unknown> {
	const body = await text(request);
	const type = request.headers['content-type']?.split(';')[0].trim();
	if (body === '') return undefined;
	if (type === 'application/json') return JSON.parse(body);
	if (type === 'application/x-www-form-urlencoded') return parse(body);
	return type === 'text/plain' ? body : undefined;
}

/** Makes one delivery after the other into a workflow of its own, as n8n does. */
class Deliveries {
	readonly executions: Execution[] = [];

	private readonly id: string;

	constructor(
		private readonly trigger: INode,
		private readonly options: WebhookOptions,
	) {
		this.id = options.workflowId ?? crypto.randomUUID();
	}

	async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
		let body: unknown;
		try {
			body = await bodyOf(request);
		} catch {
			response.writeHead(422).end('Failed to parse request body');
			return;
		}
		const instance = this.load();
		await instance.expression.acquireIsolate?.();
		try {
			const data = additionalData(new CredentialsByType(this.options));
			Object.assign(data, {
				httpRequest: Object.assign(request, { body, params: {}, query: {} }),
				httpResponse: response,
			});
			const result = await this.run(instance, data).catch((error: unknown) => {
				this.executions.push({ items: [], error: error instanceof Error ? error : undefined });
				throw error;
			});
			const { staticData } = instance;
			if (Reflect.get(staticData, '__dataChanged') === true) {
				this.options.onStaticData?.(JSON.stringify(staticData));
			}
			if (result.workflowData) {
				await this.options.onStore?.();
				this.executions.push({ items: result.workflowData[0] });
			}
			if (!result.noWebhookResponse) response.end(JSON.stringify(result.webhookResponse ?? {}));
		} catch {
			if (!response.headersSent) response.statusCode = 500;
			response.end();
		} finally {
			await instance.expression.releaseIsolate?.();
		}
	}

	async activate(activation: WorkflowActivateMode = 'activate'): Promise<void> {
		const instance = this.load();
		const node = instance.nodes[this.trigger.name];
		const { webhookMethods, description } = nodeTypes.getByNameAndVersion(node.type);
		const [webhookDescription] = description.webhooks ?? [];
		const context = new core.HookContext(
			instance,
			node,
			additionalData(new CredentialsByType(this.options)),
			'trigger',
			activation,
			this.webhookData(instance, node, webhookDescription.name),
		);
		const methods = webhookMethods?.[webhookDescription.name];
		if ((await methods?.checkExists?.call(context)) !== true) await methods?.create?.call(context);
	}

	private load(): Workflow {
		return new workflow.Workflow({
			id: this.id,
			name: 'Workflow',
			nodes: [structuredClone(this.trigger)],
			connections: {},
			active: true,
			nodeTypes,
		});
	}

	private webhookData(instance: Workflow, node: INode, name: WebhookType) {
		const { webhooks = [] } = nodeTypes.getByNameAndVersion(node.type).description;
		const [webhookDescription] = webhooks.filter((each) => each.name === name);
		return {
			httpMethod: 'POST' as const,
			node: node.name,
			path: webhookDescription.path,
			webhookDescription,
			workflowId: instance.id,
			workflowExecuteAdditionalData: additionalData(new CredentialsByType(this.options)),
		};
	}

	private async run(
		instance: Workflow,
		data: IWorkflowExecuteAdditionalData,
	): Promise<IWebhookResponseData> {
		const node = instance.nodes[this.trigger.name];
		const { webhook } = nodeTypes.getByNameAndVersion(node.type);
		if (!webhook) throw new Error(`The node type "${node.type}" is no webhook trigger`);
		const { mode = 'webhook', onLog } = this.options;
		const webhookData = this.webhookData(instance, node, 'default');
		const context = new core.WebhookContext(instance, node, data, mode, webhookData, [], null);
		if (onLog) {
			const log = (message: string, meta?: object) => onLog(`${message} ${JSON.stringify(meta)}`);
			Object.defineProperty(context, 'logger', { value: { error: log } });
		}
		return await webhook.call(context);
	}
}

/**
 * Activates a webhook trigger of the built package with n8n's own WebhookContext, behind a real HTTP
 * server. As in n8n, each delivery loads the workflow anew.
 */
export async function activateWebhook(
	trigger: INode,
	options: WebhookOptions = {},
): Promise<ActiveWebhook> {
	const deliveries = new Deliveries(trigger, options);
	const underWay = new Set<Promise<void>>();
	const { url, close } = await serve((request, response) => {
		const handled = deliveries.handle(request, response).finally(() => underWay.delete(handled));
		underWay.add(handled);
	});
	return {
		url: `${url}/webhook/${trigger.id}/webhook`,
		executions: deliveries.executions,
		async idle() {
			while (underWay.size > 0) await Promise.all(underWay);
		},
		activate: async () => await deliveries.activate(),
		close,
	};
}
