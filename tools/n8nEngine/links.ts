import type { IWebhookData } from 'n8n-workflow';
import type { IncomingMessage, ServerResponse } from 'node:http';

import { additionalData } from './additionalData';
import { createCredentialsHelper } from './credentials';
import {
	load,
	resumeWorkflow,
	runWorkflow,
	withIsolate,
	type RunOptions,
	type RunResult,
	type WorkflowFile,
} from './engine';
import { core } from './n8n';
import { serve } from './serve';
import { nodeTypes } from './types';
import { readBody } from './webhook';

/** An execution that waits for an answer, with a server for the links in its question. */
export interface WaitingWorkflow {
	/** Result of the execution up to the point where it waits for an answer. */
	readonly asked: RunResult;
	/** Result of the completed execution, available once someone has answered. */
	readonly answered: Promise<RunResult>;
	close: () => Promise<void>;
}

/**
 * Runs a workflow until it waits for an answer, and serves the question's links over HTTP, as n8n does. The
 * workflow resumes with the items that the node's webhook returns. Link signatures aren't verified here,
 * because n8n verifies them outside its engine.
 */
export async function askWorkflow(
	file: WorkflowFile,
	options: RunOptions,
): Promise<WaitingWorkflow> {
	let resolve: (result: Promise<RunResult>) => void = () => {};
	const answered = new Promise<RunResult>((settle) => (resolve = settle));
	const { url: origin, close } = await serve((request, response) => {
		answer(request, response).catch((error: unknown) => {
			response.writeHead(500).end();
			resolve(Promise.reject(error instanceof Error ? error : new Error(String(error))));
		});
	});
	const asked = await runWorkflow(file, { ...options, origin });

	async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const { data } = asked.run;
		const [waiting] = data.executionData?.nodeExecutionStack ?? [];
		const instance = load(file);
		const node = instance.nodes[waiting.node.name];
		const { description, webhook } = nodeTypes.getByNameAndVersion(node.type);
		if (!webhook) throw new Error(`The node type "${node.type}" does not wait for an answer`);
		const context = additionalData(
			createCredentialsHelper(() => options.credentials, options.onRequest),
			origin,
		);
		const body = await readBody(request);
		const query = Object.fromEntries(new URL(request.url ?? '', origin).searchParams);
		Object.assign(context, {
			httpRequest: Object.assign(request, { body, params: {}, query }),
			httpResponse: response,
		});
		const [webhookDescription] = description.webhooks ?? [];
		const webhookData = { node: node.name, webhookDescription } as IWebhookData;
		const result = await withIsolate(instance, () =>
			webhook.call(
				new core.WebhookContext(instance, node, context, 'webhook', webhookData, [], data),
			),
		);
		if (!result.workflowData) return void response.end(result.webhookResponse);
		const rest = resumeWorkflow(file, { ...options, origin }, asked, result.workflowData);
		response.end(result.webhookResponse);
		resolve(rest);
	}

	return { asked, answered, close };
}
