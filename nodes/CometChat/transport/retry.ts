import type { IHttpRequestMethods } from 'n8n-workflow';

import { ConnectionError, ErrorResponseError, PROXY_ERROR_CODE } from './failure';
import { readRateLimitHeaders } from './rateLimitHeaders';
import { UnusableResponseError } from './response';
import { asObjectOrEmpty } from '../helpers/json';

/** Time limit per attempt, and limits for retrying a request. */
export interface RequestPolicy {
	/**
	 * Time limit for an attempt, in milliseconds. An upload gets more time. A download may take longer, as long as bytes
	 * arrive.
	 */
	timeoutMs: number;
	/** Maximum attempts, including the first. Attempts refused by a rate limit don't count. */
	maxAttempts: number;
	/**
	 * Maximum wait for a rate limit, in milliseconds. Also the maximum time from the start of the first attempt until
	 * a retry is due.
	 */
	maxWaitMs: number;
}

export const DEFAULT_MAX_ATTEMPTS = 6;

export const DEFAULT_MAX_WAIT_SECONDS = 300;

/**
 * Default time limit per attempt. A fifth of the default maximum wait, so that an attempt that times out
 * leaves time for a retry.
 */
export const DEFAULT_TIMEOUT_MS = 60_000;

const FIRST_BACKOFF_MS = 500;

const MAX_BACKOFF_MS = 30_000;

/**
 * Time in milliseconds for which CometChat may deny users access to a new message (open question 14). Public test
 * code for CometChat reports 2 to 3 seconds while moderation is pending, and retries for 15 seconds. After a run has
 * lasted this long, a denial counts as permanent.
 */
const TEMPORARY_DENIAL_MS = 15_000;

/** Statuses after which a retry may succeed. */
const TRANSIENT_STATUS = [408, 502, 503, 504];

/** Error codes from Node.js and axios after which a retry may succeed. */
const TRANSIENT_NETWORK_CODES = [
	'EAI_AGAIN',
	'ECONNABORTED', // axios: no response in time
	'ECONNREFUSED',
	'ECONNRESET',
	'EHOSTUNREACH',
	'ENETDOWN',
	'ENETUNREACH',
	'EPIPE',
	'ERR_BAD_RESPONSE', // axios: the response was incomplete
	PROXY_ERROR_CODE,
	'ETIMEDOUT',
];

/**
 * Matches the codes of errors that occur before a request is sent: an unknown host, a closed port, a failed TLS
 * handshake (EPROTO), a refused certificate, or a request that Node.js rejects. Codes that start with ERR_SSL_ are
 * left out, because TLS errors after the handshake have such codes, too.
 */
const UNSENT_CODE_PATTERN =
	/^(EAI_AGAIN|ECONNREFUSED|ENOTFOUND|EPROTO|ERR_INVALID_.*|ERR_TLS_CERT_.*|CERT_.*|DEPTH_ZERO_.*|SELF_SIGNED_.*|UNABLE_TO_.*)$/;

/** True if the request definitely never reached its host. */
export function wasNotSent({ code, whileConnecting }: ConnectionError): boolean {
	return whileConnecting || UNSENT_CODE_PATTERN.test(code);
}

/** True if CometChat denied a user access to a message, possibly only because the message is new. */
function isMessageAccessDenied(error: unknown): boolean {
	const body = error instanceof ErrorResponseError ? error.response.body : undefined;
	const { code } = asObjectOrEmpty(asObjectOrEmpty(body).error);
	return code === 'ERR_MESSAGE_NO_ACCESS';
}

/** True if a retry may succeed after this error. */
function isTransient(error: unknown): boolean {
	if (error instanceof ConnectionError) return TRANSIENT_NETWORK_CODES.includes(error.code);
	return (
		error instanceof ErrorResponseError && TRANSIENT_STATUS.includes(error.response.statusCode)
	);
}

/**
 * True if a request may be retried after this error. A POST or PATCH is retried only if the failed attempt
 * definitely had no effect. Rate-limit refusals are handled separately.
 *
 * @param runMs milliseconds since the run started
 */
export function isRetryable(method: IHttpRequestMethods, error: unknown, runMs: number): boolean {
	if (attemptMayHaveWorked(method, error) && !isIdempotentMethod(method)) return false;
	return (isMessageAccessDenied(error) && runMs < TEMPORARY_DENIAL_MS) || isTransient(error);
}

/**
 * True if a request can be sent again without making its change twice.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-9.2.2
 */
export const isIdempotentMethod = (method: IHttpRequestMethods): boolean =>
	!['POST', 'PATCH'].includes(method);

/**
 * Redirects that a server may send after it made the change. In contrast, 307 and 308 ask the client to repeat the
 * same request at another address, so the server hasn't made the change.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-15.4
 */
const REDIRECTS_AFTER_CHANGE = [301, 302, 303];

/**
 * True if a failed attempt may have changed something, e.g. because a gateway failed after it forwarded the request.
 */
export function attemptMayHaveWorked(method: IHttpRequestMethods, error: unknown): boolean {
	if (method === 'GET') return false;
	if (error instanceof ConnectionError) return !wasNotSent(error);
	if (!(error instanceof ErrorResponseError)) return error instanceof UnusableResponseError;
	const { statusCode } = error.response;
	return statusCode >= 500 || statusCode === 408 || REDIRECTS_AFTER_CHANGE.includes(statusCode);
}

/**
 * Computes an exponential backoff in milliseconds. Half of the backoff is fixed, and half is random.
 *
 * @param failures number of failed attempts, or of refusals by a rate limit, so far
 */
export function computeBackoffMs(failures: number, random = Math.random()): number {
	const full = Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (failures - 1));
	return full / 2 + (full / 2) * random;
}

/**
 * Computes the delay before the next attempt in milliseconds. The delay is the backoff, or the value of
 * `Retry-After` if longer. After CometChat denied access to a message, the backoff isn't random, so that the
 * default number of attempts spans `TEMPORARY_DENIAL_MS`.
 */
export function computeDelayMs(error: unknown, failures: number): number {
	const { headers } = error instanceof ErrorResponseError ? error.response : { headers: {} };
	const { retryAfterMs = 0 } = readRateLimitHeaders(headers, Date.now());
	const random = isMessageAccessDenied(error) ? 1 : undefined;
	return Math.max(computeBackoffMs(failures, random), retryAfterMs);
}
