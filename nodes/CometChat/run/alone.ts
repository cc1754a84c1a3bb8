import type { IDataObject, ILoadOptionsFunctions, IWebhookFunctions } from 'n8n-workflow';

import { toNodeError } from '../errors/nodeError';
import { wholeText } from '../errors/words';
import { CREDENTIAL } from '../transport/attempt';
import { Client } from '../transport/client';
import { RequestLimiter } from '../transport/limiter';
import { expandPath, segmentProblem } from '../transport/path';
import { redactor } from '../transport/redact';
import { entityOf } from '../transport/response';
import type { RestRequest, RestResponse } from '../transport/types';

/** How long somebody waits, in milliseconds. */
interface Patience {
	/** For one attempt */
	timeout: number;
	/** For the rate limit, and from the first attempt to the second */
	maxWaitMs: number;
	/** Aborted when nobody waits any more */
	signal?: AbortSignal;
}

/**
 * Sends a request that belongs to no run. Somebody waits for the response, so there is a second
 * attempt, and no third.
 *
 * @returns what `read` made of the response, without the API key
 * @throws an error whose message alone says what happened and what to do: nothing else is shown
 */
export type SendAlone = <T>(
	request: RestRequest,
	read: (response: RestResponse) => T,
	patience: Patience,
) => Promise<T>;

/** Reads the credential, so that requests can be sent also when n8n is done with the call. */
export async function senderOf(
	context: ILoadOptionsFunctions | IWebhookFunctions,
): Promise<SendAlone> {
	const credentials = await context.getCredentials(CREDENTIAL);
	const redact = redactor(credentials.apiKey);
	return async (request, read, { timeout, maxWaitMs, signal }) => {
		const limiter = new RequestLimiter(signal);
		const retry = { maxAttempts: 2, maxWaitMs };
		const client = new Client({ context, credentials, timeoutMs: timeout, limiter, retry });
		try {
			return redact(await client.send(request, read));
		} catch (error) {
			const nodeError = toNodeError(context.getNode(), error, { redact });
			nodeError.message = wholeText(nodeError);
			throw nodeError;
		} finally {
			limiter.stop();
		}
	};
}

/** What came of a request: a message, or why there is none. */
export interface InTime {
	message?: IDataObject;
	messageError?: string;
}

/**
 * Sends one request about a message, for a caller of a webhook who waits for the response.
 *
 * @param messageId goes into the path as `{messageId}`
 * @param deadlineMs how long it may take in all, in milliseconds
 * @returns never throws, and never holds the API key
 */
export async function sendInTime(
	sender: Promise<SendAlone>,
	request: RestRequest,
	messageId: unknown,
	deadlineMs: number,
): Promise<InTime> {
	const id = String(messageId ?? '');
	const problem = segmentProblem(id);
	if (problem) return { messageError: `The ID of the message ${problem}` };
	const path = expandPath(request.path, () => id);
	const signal = AbortSignal.timeout(deadlineMs);
	const patience = { timeout: deadlineMs, maxWaitMs: deadlineMs, signal };
	const late = `CometChat sent no message within ${deadlineMs / 1000} seconds`;
	const sending = sender.then(
		async (send) => await send({ ...request, path }, entityOf('message'), patience),
	);
	return await sending.then(
		(message) => ({ message }),
		(error: Error) => ({ messageError: signal.aborted ? late : wholeText(error) }),
	);
}
