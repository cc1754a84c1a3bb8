import type {
	IAdditionalCredentialOptions,
	ICredentialDataDecryptedObject,
	IHttpRequestOptions,
} from 'n8n-workflow';

import { parseJson, toExactJson } from '../helpers/exactJson';
import { ConnectionError, StoppedError, convertRequestError } from './failure';
import type { RequestLimiter } from './limiter';
import type { RequestPolicy } from './retry';
import type { RestRequest, RestResponse } from './types';

export const CREDENTIAL_NAME = 'cometChatApi';

/**
 * n8n's context for an item, a poll, a webhook call or a picker. With `returnFullResponse`, the helper always
 * returns the whole response. With the encoding `text`, the body is always a string.
 */
interface RequestContext {
	helpers: {
		httpRequestWithAuthentication(
			this: unknown,
			credential: string,
			request: IHttpRequestOptions,
			options: IAdditionalCredentialOptions,
		): Promise<Omit<RestResponse, 'text'> & { body: string }>;
	};
}

/** Options shared by all attempts to send a request. */
export interface Connection extends Pick<RequestPolicy, 'timeoutMs'> {
	context: RequestContext;
	/** Read once per item. Otherwise, n8n would read the credential for each request. */
	credentials: ICredentialDataDecryptedObject;
	limiter: RequestLimiter;
}

/**
 * Sends a request once with n8n's request helper.
 *
 * @returns the response, whatever its status
 * @throws ConnectionError, StoppedError, or an Error whose message is meant for the user
 */
export async function sendAttempt(
	{ context, credentials, limiter, timeoutMs }: Connection,
	{ method, path, query = {}, headers = {}, body }: RestRequest,
): Promise<RestResponse> {
	const timeLimit = AbortSignal.timeout(timeoutMs);
	const controller = new AbortController();
	const { signal } = controller;
	const abort = () => controller.abort();
	// `AbortSignal.any` would leave listeners on the execution's signal after the request
	for (const source of [timeLimit, limiter.signal]) source?.addEventListener('abort', abort);
	const sending = context.helpers.httpRequestWithAuthentication.call(
		// n8n replaces the `abortSignal` option with the result of `getExecutionCancelSignal`
		Object.create(context, { getExecutionCancelSignal: { value: () => signal } }),
		CREDENTIAL_NAME,
		{
			timeout: timeoutMs,
			method,
			url: path,
			qs: query,
			...(body === undefined
				? { headers }
				: {
						// n8n's HTTP client would copy an object without keys such as `constructor`
						headers: { ...headers, 'content-type': 'application/json' },
						body: toExactJson(body),
					}),
			json: true,
			// n8n's HTTP client would round large numbers
			encoding: 'text',
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
			abortSignal: signal,
		},
		{ credentialsDecrypted: { id: '', name: '', type: CREDENTIAL_NAME, data: credentials } },
	);
	// Some n8n versions ignore the abort signal
	const response = await Promise.race([sending, rejectOnAbort(signal)])
		.catch((error: unknown) => {
			if (timeLimit.aborted) {
				throw new ConnectionError('ETIMEDOUT', `no complete response within ${timeoutMs} ms`);
			}
			throw signal.aborted ? new StoppedError() : convertRequestError(error);
		})
		.finally(() => {
			for (const source of [timeLimit, limiter.signal]) {
				source?.removeEventListener('abort', abort);
			}
		});
	const { statusCode, headers: responseHeaders, body: text } = response;
	return { statusCode, headers: responseHeaders, body: parseJson(text), text };
}

async function rejectOnAbort(signal: AbortSignal): Promise<never> {
	return await new Promise((_, reject) => signal.addEventListener('abort', reject));
}
