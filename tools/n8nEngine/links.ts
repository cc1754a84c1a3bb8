import { additionalData } from './additionalData';
import {
	findWaiting,
	loadNode,
	resumeWorkflow,
	runWorkflow,
	type RunOptions,
	type RunResult,
	type WorkflowFile,
} from './engine';
import { callWebhook, serveWebhook } from './webhookServer';

/**
 * Runs a workflow until it waits for an answer, and serves the question's links over HTTP, as n8n does. The
 * workflow resumes with the items that the node's webhook returns. Link signatures aren't verified here,
 * because n8n verifies them outside its engine.
 *
 * @returns `asked`, the result up to the point where the execution waits, and `answered`, the result of the
 *   completed execution
 */
export async function askWorkflow(file: WorkflowFile, options: RunOptions) {
	const { credentials, onRequest } = options;
	const { promise: answered, resolve, reject } = Promise.withResolvers<RunResult>();
	const { url: origin, close } = await serveWebhook(async (call) => {
		try {
			const { data } = asked.run;
			const context = Object.assign(
				additionalData(() => credentials, onRequest, origin),
				call,
			);
			const waiting = loadNode(file, findWaiting(data).node.name);
			const result = await callWebhook(waiting, context, 'webhook', data);
			const { workflowData } = result;
			if (workflowData) resolve(resumeWorkflow(file, { ...options, origin }, asked, workflowData));
			return result;
		} catch (error) {
			reject(error);
			throw error;
		}
	});
	const asked = await runWorkflow(file, { ...options, origin });
	return { asked, answered, close };
}
