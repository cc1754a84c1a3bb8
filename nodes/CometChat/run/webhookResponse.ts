import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

export function setHeaders(context: IWebhookFunctions, headers: Record<string, string>): void {
	const response = context.getResponseObject();
	for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
}

/** Responds to a webhook call without starting or resuming an execution. */
export function respond(
	context: IWebhookFunctions,
	statusCode: number,
	headers: Record<string, string>,
	body: string,
): IWebhookResponseData {
	const response = context.getResponseObject();
	response.statusCode = statusCode;
	setHeaders(context, headers);
	response.end(body);
	return { noWebhookResponse: true };
}

/** A response that n8n has sent. */
interface SentResponse {
	/** True if the response's status reports success */
	isSuccess: boolean;
	/** True if the caller was still connected when n8n responded */
	isReceived: boolean;
}

/** Waits until n8n has responded to a webhook call. */
export async function waitForResponse(context: IWebhookFunctions): Promise<SentResponse> {
	const response = context.getResponseObject();
	return await new Promise((resolve) => {
		// Unlike 'finish', 'prefinish' is emitted even if the caller has disconnected
		response.once('prefinish', () =>
			resolve({ isSuccess: response.statusCode < 400, isReceived: !response.closed }),
		);
	});
}
