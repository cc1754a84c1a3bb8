import type { IDataObject, ILoadOptionsFunctions, IWebhookFunctions } from 'n8n-workflow';

import { formatErrorAsText } from '../errors/nodeError';
import { formatMsAsSeconds } from '../helpers/formatText';
import { API_CREDENTIAL } from '../transport/attempt';
import { Client } from '../transport/client';
import { RequestLimiter } from '../transport/limiter';
import { valueToText } from '../helpers/json';
import { expandPath, findSegmentProblem } from '../transport/path';
import { createSecretRedactor } from '../helpers/redact';
import { createEntityReader } from '../transport/response';
import type { RestRequest, RestResponse } from '../transport/restTypes';

/**
 * Sends a request outside of a workflow run. A person or a webhook caller may be waiting for the response, so the
 * request is attempted at most twice, not counting attempts that a rate limit refuses.
 *
 * @param timeLimitMs time limit for all attempts, in milliseconds
 * @returns the value that `read` returns, with the API key redacted
 * @throws Error whose message also contains the advice. It has no `description`, because n8n's pickers would show
 * the advice twice, and some other callers show only the message.
 */
export type SendOutsideRun = <T>(
	request: RestRequest,
	read: (response: RestResponse) => T,
	timeLimitMs: number,
) => Promise<T>;

/**
 * Creates a `SendOutsideRun` function. Reads the credential immediately, because n8n may have finished handling the
 * webhook call by the time a request is sent.
 *
 * @throws n8n's error if the credential can't be read
 */
export async function createSendOutsideRun(
	context: ILoadOptionsFunctions | IWebhookFunctions,
): Promise<SendOutsideRun> {
	const credentials = await context.getCredentials(API_CREDENTIAL);
	const { apiKey, region } = credentials;
	const redact = createSecretRedactor(apiKey);
	return async (request, read, timeLimitMs) => {
		const limiter = new RequestLimiter(AbortSignal.timeout(timeLimitMs));
		const policy = { timeoutMs: timeLimitMs, maxAttempts: 2, maxWaitMs: timeLimitMs };
		const client = new Client({ context, credentials, limiter, ...policy });
		const sending = client.sendAndRead(request, read).catch((error: unknown) => {
			throw new Error(
				limiter.stopped
					? `CometChat did not respond within ${formatMsAsSeconds(timeLimitMs)}`
					: formatErrorAsText(error, { redact, region }),
			);
		});
		return redact(await sending.finally(limiter.stop));
	};
}

/**
 * Sends a request about a message, such as GET or PUT, and returns the message with the API key redacted.
 *
 * @param messageId replaces `{messageId}` in the path
 * @param timeLimitMs time limit for all attempts, in milliseconds
 * @throws Error if the credential can't be read or the ID is invalid, or the same errors as `SendOutsideRun`
 */
export async function sendRequestByMessageId(
	pendingSend: Promise<SendOutsideRun>,
	request: RestRequest,
	messageId: unknown,
	timeLimitMs: number,
): Promise<IDataObject> {
	// Awaited before any code that can throw, because the caller may not handle a rejection of this promise
	const send = await pendingSend;
	const id = valueToText(messageId);
	const problem = findSegmentProblem(id);
	if (problem) throw new Error(`The message ID ${problem}`);
	const path = expandPath(request.path, { messageId: id });
	return await send({ ...request, path }, createEntityReader('message'), timeLimitMs);
}
