import type { IWebhookDescription } from 'n8n-workflow';

/** Webhook that CometChat calls to start the workflow. */
export const webhookDescription: IWebhookDescription = {
	name: 'default',
	httpMethod: 'POST',
	responseMode: 'onReceived',
	// If `responseData` is unset, n8n sends the default option's name as the response body
	responseData: '',
	path: 'webhook',
};
