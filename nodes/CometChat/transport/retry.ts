import type { IHttpRequestMethods } from 'n8n-workflow';

import { ConnectionError, StatusError } from './failure';
import { readLimitHints } from './limitHeaders';
import { ResponseError } from './response';

/** How long and how often a request may be attempted. */
export interface RetryPolicy {
	/** Attempts in all, the first one included; a refusal by the rate limit does not count */
	maxAttempts: number;
	/** Longest wait for the rate limit, and longest time from the first attempt to the last, in milliseconds */
	maxWaitMs: number;
}

export const DEFAULT_MAX_ATTEMPTS = 6;

/** In seconds. */
export const DEFAULT_MAX_WAIT = 300;

const FIRST_BACKOFF_MS = 500;

const LONGEST_BACKOFF_MS = 30_000;

/** Statuses after which a request that changes nothing is worth another attempt. */
const TRANSIENT_STATUS = [408, 502, 503, 504];

/** Codes of Node.js and axios after which another attempt may succeed. */
const TRANSIENT_CODES = [
	'EAI_AGAIN',
	'ECONNABORTED', // axios: no response in time
	'ECONNREFUSED',
	'ECONNRESET',
	'EHOSTUNREACH',
	'ENETDOWN',
	'ENETUNREACH',
	'EPIPE',
	'ERR_BAD_RESPONSE', // axios: the response broke off
	'ETIMEDOUT',
];

/**
 * Codes that prove that nothing was sent: there is no such host, nobody listens, the certificate was
 * refused, or Node.js did not take the request.
 */
const NOT_SENT =
	/^(EAI_AGAIN|ECONNREFUSED|ENOTFOUND|ERR_INVALID_.*|ERR_TLS_CERT_.*|CERT_.*|DEPTH_ZERO_.*|SELF_SIGNED_.*|UNABLE_TO_.*)$/;

/** Whether it is certain that a request never reached the service. */
export function wasNotSent({ code, whileConnecting }: ConnectionError): boolean {
	return whileConnecting || NOT_SENT.test(code);
}

/**
 * Whether a request with this method may be sent again after this error. What changes something is
 * sent again only when it was certainly not sent: a gateway may answer any status after it forwarded
 * the request. (A refusal by the rate limit is the limiter's matter.)
 */
export function isRetryable(method: IHttpRequestMethods, error: unknown): boolean {
	if (error instanceof ConnectionError) {
		return TRANSIENT_CODES.includes(error.code) && (method === 'GET' || wasNotSent(error));
	}
	const isTransient =
		error instanceof StatusError && TRANSIENT_STATUS.includes(error.response.statusCode);
	return method === 'GET' && isTransient;
}

/** Whether the service may have carried out a request that ended with this error. */
export function isOutcomeUnknown(method: IHttpRequestMethods, error: unknown): boolean {
	if (method === 'GET') return false;
	if (error instanceof StatusError) {
		const { statusCode } = error.response;
		return statusCode >= 500 || statusCode === 408;
	}
	if (error instanceof ConnectionError) return !wasNotSent(error);
	return error instanceof ResponseError;
}

/**
 * Exponential backoff with jitter: half of it fixed, so that it never comes down to nothing.
 *
 * @param attempts how often the request was sent so far
 * @returns milliseconds
 */
export function backoffMs(attempts: number, random = Math.random()): number {
	const full = Math.min(LONGEST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (attempts - 1));
	return full / 2 + (full / 2) * random;
}

/** How long to wait before the next attempt: at least the backoff, longer when the service asks for it. */
export function delayMs(error: unknown, attempts: number): number {
	const { headers } = error instanceof StatusError ? error.response : { headers: {} };
	const { retryAfterMs = 0 } = readLimitHints(headers, Date.now());
	return Math.max(backoffMs(attempts), retryAfterMs);
}
