import type {
	ICredentialDataDecryptedObject,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
} from 'n8n-workflow';

import { apiKeyOf, baseUrlOf } from '../../../credentials/CometChatApi.credentials';
import { systemClock } from './clock';
import { ConnectionError, SendError, StatusError, connectionErrorOf } from './failure';
import type { RequestLimiter } from './limiter';
import { StoppedError } from './limiter';
import { RateLimitError } from './rateLimit';
import { refusalIn } from './response';
import type { RetryPolicy } from './retry';
import { delayMs, isOutcomeUnknown, isRetryable } from './retry';
import type { RequestContext, RestRequest, RestResponse } from './types';
import { APP_USER } from './types';

export const CREDENTIAL = 'cometChatApi';

/** What all requests of one item have in common. */
export interface Connection {
	context: RequestContext;
	/** Read once per item: n8n would look them up for every request */
	credentials: ICredentialDataDecryptedObject;
	/** Time limit of a whole request in milliseconds, proxy and the like, as n8n's own options set them */
	settings: RequestSettings;
	limiter: RequestLimiter;
	retry: RetryPolicy;
	/** Which of the service's rate limits it counts for; the standard one by default */
	kind?: 'core' | 'send';
	/** Place in the line of requests that wait: the smaller goes first */
	order: number;
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

/** The run was stopped while a request that changes something was under way. */
export class InterruptedError extends StoppedError {
	constructor(readonly failure: SendError) {
		super();
	}
}

/** What is reported for an item that was not sent, because the rate limit of others lasts too long. */
const NOT_SENT: RestResponse = { statusCode: 429, headers: {}, body: undefined };

/**
 * Sends a request until it gets a response with a status of success, within the retry policy and
 * the limits of the run.
 *
 * @param read takes what is needed out of the response, or throws a ResponseError
 * @throws SendError when it gives up, StoppedError when the run was stopped
 */
export async function send<T>(
	connection: Connection,
	request: RestRequest,
	read: (response: RestResponse) => T,
): Promise<T> {
	const { limiter, retry, order } = connection;
	const limit = limitOf(connection, request);
	let attempts = 0;
	let firstAt = 0;
	let waitedMs = 0;
	let sending = false;
	const attempt = async () => {
		if (attempts++ === 0) firstAt = systemClock.now();
		sending = true;
		const response = await attemptOnce(connection, request);
		sending = false;
		return response;
	};
	const failed = (error: unknown, requiredMs?: number) =>
		new SendError({
			error,
			attempts,
			waitedMs,
			requiredMs,
			outcomeUnknown: isOutcomeUnknown(request.method, error),
		});
	for (let failures = 1; ; failures++) {
		let error: unknown;
		sending = false;
		try {
			const response = await limiter.send(attempt, { limit, order, maxWaitMs: retry.maxWaitMs });
			const { statusCode } = response;
			if (statusCode < 200 || statusCode > 299 || refusalIn(response.body)) {
				throw new StatusError(response);
			}
			return read(response);
		} catch (thrown) {
			error = thrown;
		}
		if (error instanceof StoppedError) {
			const interrupted = new ConnectionError('ECONNABORTED', 'the run was stopped');
			const isUnknown = sending && isOutcomeUnknown(request.method, interrupted);
			throw isUnknown ? new InterruptedError(failed(interrupted)) : error;
		}
		if (error instanceof RateLimitError) {
			waitedMs += error.waitedMs;
			throw failed(new StatusError(refusalOf(error)), error.requiredMs);
		}
		const { ageMs } = limiter;
		if (!isRetryable(request.method, error, ageMs) || failures >= retry.maxAttempts) {
			throw failed(error);
		}
		const delay = delayMs(error, failures, ageMs);
		const spentMs = systemClock.now() - firstAt;
		if (spentMs + delay > retry.maxWaitMs) throw failed(error, delay);
		await limiter.wait(delay);
		waitedMs += delay;
	}
}

/**
 * The rate limit that a request counts for: one for each kind of call of each app, and for messages
 * one for each sender. The app is told by its address and its key.
 *
 * @see https://www.cometchat.com/docs/rest-api/rate-limits
 */
function limitOf({ credentials, kind }: Connection, { headers }: RestRequest): string {
	const user = kind === 'send' ? (headers?.onBehalfOf ?? APP_USER).toLowerCase() : '';
	return JSON.stringify([baseUrlOf(credentials), apiKeyOf(credentials), kind ?? 'standard', user]);
}

function refusalOf({ response }: RateLimitError): RestResponse {
	return response === undefined ? NOT_SENT : { body: undefined, ...response };
}

async function attemptOnce(connection: Connection, request: RestRequest): Promise<RestResponse> {
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
