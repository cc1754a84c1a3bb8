import type {
	IRunExecutionData,
	IWebhookData,
	IWebhookResponseData,
	IWorkflowExecuteAdditionalData,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { parse } from 'node:querystring';
import { text } from 'node:stream/consumers';

import { withIsolate, type LoadedNode } from './engine';
import { core } from './n8n';
import { serve } from './serve';

/**
 * Parses a request body based on its content type, as n8n does.
 *
 * @throws if the body doesn't match the content type
 */
async function readBody(request: IncomingMessage): Promise<unknown> {
	const body = await text(request);
	const [type] = request.headers['content-type']?.toLowerCase().split(/\s*;/) ?? [];
	if (body === '') return undefined;
	if (type === 'application/json') return JSON.parse(body);
	if (type === 'application/x-www-form-urlencoded') return parse(body);
	return type === 'text/plain' ? body : undefined;
}

interface WebhookWatchers {
	onLog?: (message: string) => void;
	onContext?: (context: object) => void;
}

/**
 * Calls a node's webhook with n8n's WebhookContext.
 *
 * @param data additional data, including the HTTP request and its response
 * @param runData data of the waiting execution, or null for a trigger
 * @param onLog called with each message that the node writes to n8n's log
 * @param onContext called with the context before the node gets it
 */
export async function callWebhook(
	{ instance, node, type: { webhook, description } }: LoadedNode,
	data: IWorkflowExecuteAdditionalData,
	mode: WorkflowExecuteMode,
	runData: IRunExecutionData | null,
	{ onLog, onContext }: WebhookWatchers = {},
): Promise<IWebhookResponseData> {
	if (!webhook) throw new Error(`The node type "${node.type}" has no webhook`);
	const [webhookDescription] = description.webhooks ?? [];
	const webhookData = { node: node.name, webhookDescription } as IWebhookData;
	const context = new core.WebhookContext(instance, node, data, mode, webhookData, [], runData);
	if (onLog) {
		const log = (message: string, meta?: object) =>
			onLog(meta ? `${message} ${JSON.stringify(meta)}` : message);
		Object.defineProperty(context, 'logger', { value: { error: log, warn: log, info: log } });
	}
	onContext?.(context);
	return await withIsolate(instance, () => webhook.call(context));
}

/** An HTTP request and its response, named as in n8n's additional data. */
interface HttpCall {
	httpRequest: IncomingMessage;
	httpResponse: ServerResponse;
}

/** Serves a webhook over HTTP, as n8n does. Responds with status 500 if the webhook fails. */
export async function serveWebhook(run: (call: HttpCall) => Promise<IWebhookResponseData>) {
	async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
		try {
			const { searchParams } = new URL(request.url ?? '', 'http://127.0.0.1');
			const body = await readBody(request);
			Object.assign(request, { body, params: {}, query: Object.fromEntries(searchParams) });
		} catch {
			response.writeHead(422).end('Failed to parse request body');
			return;
		}
		try {
			const call = { httpRequest: request, httpResponse: response };
			const { noWebhookResponse, webhookResponse: answer = {} } = await run(call);
			if (!noWebhookResponse) {
				response.end(typeof answer === 'string' ? answer : JSON.stringify(answer));
			}
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
		url,
		close,
		/** Resolves when all requests have been handled. */
		async idle() {
			while (underWay.size > 0) await Promise.all(underWay);
		},
	};
}
