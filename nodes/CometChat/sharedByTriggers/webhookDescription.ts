import type { IWebhookDescription } from 'n8n-workflow';

/** Webhook that CometChat calls to start the workflow. */
export const webhookDescription: IWebhookDescription = {
	name: 'default',
	httpMethod: 'POST',
	responseMode: 'onReceived',
	// Without `responseData`, n8n would send the name of its default option as the response body
	responseData: '',
	path: 'webhook',
};
