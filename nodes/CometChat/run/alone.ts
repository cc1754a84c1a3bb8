import type { ILoadOptionsFunctions, IWebhookFunctions } from 'n8n-workflow';

import { toNodeError } from '../errors/nodeError';
import { wholeText } from '../errors/words';
import { RequestLimiter } from '../transport/limiter';
import { redactor } from '../transport/redact';
import { CREDENTIAL, send } from '../transport/client';
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
		const limiter = new RequestLimiter({ signal });
		const retry = { maxAttempts: 2, maxWaitMs };
		const connection = { context, credentials, settings: { timeout }, limiter, retry, order: 0 };
		try {
			return redact(await send(connection, request, read));
		} catch (error) {
			const nodeError = toNodeError(context.getNode(), error, { redact });
			nodeError.message = wholeText(nodeError);
			throw nodeError;
		} finally {
			limiter.stop();
		}
	};
}
