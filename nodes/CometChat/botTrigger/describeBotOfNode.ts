import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

/** Describes a node's bot for n8n's log. Doesn't read the node's parameters, which may be invalid. */
export function describeBotOfNodeForLog(context: IHookFunctions | IWebhookFunctions): string {
	const { name } = context.getWorkflow();
	return `the CometChat bot of "${context.getNode().name}" in "${name ?? ''}"`;
}
