import type {
	ICredentialDataDecryptedObject,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
} from 'n8n-workflow';

import { ConnectionError, connectionErrorOf } from './failure';
import { StoppedError, type RequestLimiter } from './limiter';
import type { RequestContext, RestRequest, RestResponse } from './types';

export const CREDENTIAL = 'cometChatApi';

/** How n8n's helper is called: by whom, with which key, how. */
export interface Connection {
	context: RequestContext;
	/** Read once per item: n8n would look them up for every request */
	credentials: ICredentialDataDecryptedObject;
	/** Time limit of a whole request in milliseconds, proxy and the like, as n8n's own options set them */
	settings: RequestSettings;
	limiter: RequestLimiter;
}

export interface RequestSettings extends Pick<
	IHttpRequestOptions,
	'proxy' | 'skipSslCertificateValidation'
> {
	/** Milliseconds from the first byte sent to the last one received */
	timeout: number;
}

/** How long a request that changes something may still take after the run was stopped, in milliseconds. */
const GRACE_MS = 5_000;

/**
 * Sends a request once, through n8n's helper.
 *
 * @returns any response, whatever its status
 * @throws ConnectionError, StoppedError, or an Error whose message is meant for the user
 */
export async function attemptOnce(
	connection: Connection,
	request: RestRequest,
): Promise<RestResponse> {
	const { context, credentials, limiter, settings } = connection;
	const timeLimit = AbortSignal.timeout(settings.timeout);
	const graceMs = request.method === 'GET' ? 0 : GRACE_MS;
	const { signal, release } = firstOf(timeLimit, limiter.signal, graceMs);
	const failed = (error: unknown): never => {
		if (timeLimit.aborted) {
			const { timeout } = settings;
			throw new ConnectionError('ETIMEDOUT', `no complete response within ${timeout} ms`);
		}
		if (signal.aborted) throw new StoppedError();
		throw withProxy(connectionErrorOf(error), settings.proxy);
	};
	const sent = context.helpers.httpRequestWithAuthentication.call(
		// n8n puts its own signal in the place of ours, and asks the context for it
		Object.create(context, { getExecutionCancelSignal: { value: () => signal } }),
		CREDENTIAL,
		httpOptions(connection, request, signal),
		{ credentialsDecrypted: { id: '', name: '', type: CREDENTIAL, data: credentials } },
	);
	const response: IN8nHttpFullResponse = await Promise.race([sent, aborted(signal)])
		.catch(failed)
		.finally(release);
	const { statusCode, headers, body } = response;
	return { statusCode, headers, body };
}

/** What is thrown while a connection is made is about the proxy, where there is one: nothing goes past it. */
function withProxy(error: Error, proxy: RequestSettings['proxy']): Error {
	if (!(error instanceof ConnectionError) || proxy === undefined) return error;
	const { code, message, whileConnecting } = error;
	const isOfProxy = whileConnecting || (proxy.protocol === 'https' && code === 'EPROTO');
	return isOfProxy ? new ConnectionError(code, message, whileConnecting, true) : error;
}

/** Rejects as soon as the signal is aborted: not every version of n8n obeys it. */
async function aborted(signal: AbortSignal): Promise<never> {
	return await new Promise((_, reject) => {
		signal.addEventListener('abort', () => reject(new StoppedError()), { once: true });
	});
}

/**
 * A signal that is aborted with the time limit, or some time after the run was stopped. Unlike that of
 * `AbortSignal.any`, it can be released: no listener stays on signals that live longer than the request.
 */
function firstOf(
	timeLimit: AbortSignal,
	stop: AbortSignal,
	graceMs: number,
): { signal: AbortSignal; release: () => void } {
	const controller = new AbortController();
	const abort = () => controller.abort();
	// What changes something is let finish for a while, so that its outcome is known
	const abortAfterGrace = () => {
		if (graceMs === 0) abort();
		else AbortSignal.timeout(graceMs).addEventListener('abort', abort, { once: true });
	};
	timeLimit.addEventListener('abort', abort);
	stop.addEventListener('abort', abortAfterGrace);
	if (stop.aborted) abortAfterGrace();
	return {
		signal: controller.signal,
		release: () => {
			timeLimit.removeEventListener('abort', abort);
			stop.removeEventListener('abort', abortAfterGrace);
		},
	};
}

function httpOptions(
	{ settings }: Connection,
	{ method, path, query = {}, headers = {}, body }: RestRequest,
	abortSignal: AbortSignal,
): IHttpRequestOptions {
	return {
		...settings,
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
