import type {
	ICredentialDataDecryptedObject,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
} from 'n8n-workflow';

import { ConnectionError, toConnectionError } from './failure';
import { StoppedError, type RequestLimiter } from './limiter';
import type { RequestContext, RestRequest, RestResponse } from './types';

export const CREDENTIAL_NAME = 'cometChatApi';

/** Options of n8n's request helper. */
export interface Connection {
	context: RequestContext;
	/** Read once per item, because n8n would read them for each request */
	credentials: ICredentialDataDecryptedObject;
	/** Milliseconds from the first byte sent to the last byte received */
	timeoutMs: number;
	limiter: RequestLimiter;
}

/**
 * Sends a request once with n8n's request helper.
 *
 * @returns a response with any status
 * @throws ConnectionError, StoppedError, or an Error whose message is meant for the user
 */
export async function sendAttempt(
	connection: Connection,
	request: RestRequest,
): Promise<RestResponse> {
	const { context, credentials, limiter, timeoutMs } = connection;
	const timeLimit = AbortSignal.timeout(timeoutMs);
	const { signal, release } = anySignal(timeLimit, limiter.signal);
	const failed = (error: unknown): never => {
		if (timeLimit.aborted) {
			throw new ConnectionError('ETIMEDOUT', `no complete response within ${timeoutMs} ms`);
		}
		if (signal.aborted) throw new StoppedError();
		throw toConnectionError(error);
	};
	const sent = context.helpers.httpRequestWithAuthentication.call(
		// n8n replaces `abortSignal` by the signal that the context returns
		Object.create(context, { getExecutionCancelSignal: { value: () => signal } }),
		CREDENTIAL_NAME,
		toHttpOptions(connection, request, signal),
		{ credentialsDecrypted: { id: '', name: '', type: CREDENTIAL_NAME, data: credentials } },
	);
	const response: IN8nHttpFullResponse = await Promise.race([sent, rejectOnAbort(signal)])
		.catch(failed)
		.finally(release);
	const { statusCode, headers, body } = response;
	return { statusCode, headers, body };
}

/** Rejects as soon as the signal aborts: some versions of n8n ignore the signal. */
async function rejectOnAbort(signal: AbortSignal): Promise<never> {
	return await new Promise((_, reject) => {
		signal.addEventListener('abort', () => reject(new StoppedError()), { once: true });
	});
}

/**
 * A signal that aborts as soon as one of the two does. Unlike the signal of `AbortSignal.any`, it can
 * be released, so that no listener stays on a signal that lives longer than the request.
 */
function anySignal(
	timeLimit: AbortSignal,
	cancel: AbortSignal | undefined,
): { signal: AbortSignal; release: () => void } {
	const controller = new AbortController();
	const abort = () => controller.abort();
	for (const signal of [timeLimit, cancel]) signal?.addEventListener('abort', abort);
	if (cancel?.aborted) abort();
	return {
		signal: controller.signal,
		release: () => {
			for (const signal of [timeLimit, cancel]) signal?.removeEventListener('abort', abort);
		},
	};
}

function toHttpOptions(
	{ timeoutMs }: Connection,
	{ method, path, query = {}, headers = {}, body }: RestRequest,
	abortSignal: AbortSignal,
): IHttpRequestOptions {
	return {
		timeout: timeoutMs,
		method,
		url: path,
		qs: query,
		headers,
		...(body === undefined ? {} : { body }),
		json: true,
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
		abortSignal,
	};
}
