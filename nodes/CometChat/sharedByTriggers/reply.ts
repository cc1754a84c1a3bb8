import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { respondWithoutExecution } from '../helpers/webhookResponse';

/**
 * Time limit in milliseconds for a response to CometChat. CometChat waits 2,000 ms, including network time.
 */
export const RESPOND_WITHIN_MS = 1_500;

/**
 * Responds without starting the workflow.
 *
 * @param message one sentence that explains the response in the caller's log
 */
type Responder = (
	context: IWebhookFunctions,
	statusCode: number,
	message: string,
) => IWebhookResponseData;

/** @param realm realm of Basic authentication, sent in each response's `WWW-Authenticate` header */
export function createJsonResponderForRealm(realm: string): Responder {
	const headers = {
		'Content-Type': 'application/json; charset=utf-8',
		'WWW-Authenticate': `Basic realm="${realm}", charset="UTF-8"`,
	};
	return (context, statusCode, message) =>
		respondWithoutExecution(context, statusCode, headers, JSON.stringify({ message }));
}
