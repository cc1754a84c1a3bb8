import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

/** Describes a node's bot for a line in n8n's log. Doesn't need the node's parameters, which may be unreadable. */
export function describeBot(context: IHookFunctions | IWebhookFunctions): string {
	const { name } = context.getWorkflow();
	return `the CometChat bot of "${context.getNode().name}" in "${name ?? ''}"`;
}
