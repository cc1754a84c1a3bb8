import type { IWebhookResponseData } from 'n8n-workflow';

/**
 * Access to a webhook's request and response. Declared here, because n8n's own type requires the types of Express.
 */
export interface HttpContext {
	getRequestObject(): { method: string };
	getResponseObject(): {
		statusCode: number;
		closed: boolean;
		setHeader(name: string, value: string): unknown;
		once(event: 'prefinish', listener: () => void): unknown;
		end(body: string): unknown;
	};
}

export function setHeaders(context: HttpContext, headers: Record<string, string>): void {
	const response = context.getResponseObject();
	for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
}

/** Responds to a webhook call without starting or resuming an execution. */
export function respondWithoutExecution(
	context: HttpContext,
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
