import type { IHttpRequestMethods } from 'n8n-workflow';

import { ConnectionError, StatusError } from './failure';
import { readRateLimitHints } from './rateLimitHeaders';
import { ResponseError } from './response';
import { asObject } from './json';

/** How long and how often a request may be attempted. */
export interface RetryPolicy {
	/** Attempts in all, the first one included; a refusal by the rate limit does not count */
	maxAttempts: number;
	/** Longest wait for the rate limit, and longest time from the first attempt to the last, in milliseconds */
	maxWaitMs: number;
}

export const DEFAULT_MAX_ATTEMPTS = 6;

export const DEFAULT_MAX_WAIT_SECONDS = 300;

/** A fifth of the longest wait, so that an attempt without a response leaves time for a retry. */
export const DEFAULT_TIMEOUT_MS = 60_000;

const FIRST_BACKOFF_MS = 500;

const MAX_BACKOFF_MS = 30_000;

/**
 * A message that was just sent is refused to users for a moment: 2.8 seconds as measured, and some to
 * spare. A run works on messages that are older than itself, so a refusal after this time is meant.
 */
const ACCESS_DELAY_MS = 4_000;

/** Statuses after which a request that changes nothing is worth another attempt. */
const TRANSIENT_STATUS = [408, 502, 503, 504];

/**
 * Statuses by which a service sends its client on, with GET, to what came of the request.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-15.4
 */
const REDIRECT_TO_GET_STATUS = [301, 302, 303];

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
 * Codes that prove that nothing was sent: the host doesn't exist, its port is closed, the TLS handshake
 * failed (EPROTO; later TLS errors have the code ERR_SSL_…), the certificate was refused, or Node.js
 * rejected the request.
 */
const NOT_SENT =
	/^(EAI_AGAIN|ECONNREFUSED|ENOTFOUND|EPROTO|ERR_INVALID_.*|ERR_TLS_CERT_.*|CERT_.*|DEPTH_ZERO_.*|SELF_SIGNED_.*|UNABLE_TO_.*)$/;

/** Whether it is certain that a request never reached the service. */
export function wasNotSent({ code, whileConnecting }: ConnectionError): boolean {
	return whileConnecting || NOT_SENT.test(code);
}

/** How long the message may still be too new for the user, in milliseconds; 0 when that is not the reason. */
function getAccessDelayMs(error: unknown, runMs: number): number {
	const body = error instanceof StatusError ? error.response.body : undefined;
	const { code } = asObject(asObject(body).error);
	return code === 'ERR_MESSAGE_NO_ACCESS' ? Math.max(0, ACCESS_DELAY_MS - runMs) : 0;
}

/**
 * What became of a request that ended with an error: it never reached the service, the service refused
 * it, or nobody knows. A gateway may answer any status of its own after it forwarded the request.
 */
function getFate(error: unknown): 'notSent' | 'refused' | 'unknown' {
	if (error instanceof ConnectionError) return wasNotSent(error) ? 'notSent' : 'unknown';
	if (error instanceof ResponseError) return 'unknown';
	if (!(error instanceof StatusError)) return 'notSent';
	const { statusCode } = error.response;
	const isUnknown =
		statusCode >= 500 || statusCode === 408 || REDIRECT_TO_GET_STATUS.includes(statusCode);
	return isUnknown ? 'unknown' : 'refused';
}

/** Whether another attempt may succeed where this one failed. */
function isTransient(error: unknown): boolean {
	if (error instanceof ConnectionError) return TRANSIENT_CODES.includes(error.code);
	return error instanceof StatusError && TRANSIENT_STATUS.includes(error.response.statusCode);
}

/**
 * Whether a request may be sent again after this error. What changes something is sent again only when
 * it was certainly not carried out: it was not sent, or the message is still too new. (A refusal by the
 * rate limit is the limiter's matter.)
 *
 * @param runMs milliseconds since the run began
 */
export function isRetryable(method: IHttpRequestMethods, error: unknown, runMs: number): boolean {
	if (getAccessDelayMs(error, runMs) > 0) return true;
	return isTransient(error) && (method === 'GET' || getFate(error) === 'notSent');
}

/** Whether the service may have carried out a change that ended with this error. */
export function isOutcomeUnknown(method: IHttpRequestMethods, error: unknown): boolean {
	return method !== 'GET' && getFate(error) === 'unknown';
}

/**
 * Exponential backoff with jitter: half of it fixed, so that it never comes down to nothing.
 *
 * @param attempts how often the request was sent so far
 * @returns milliseconds
 */
export function computeBackoffMs(attempts: number, random = Math.random()): number {
	const full = Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (attempts - 1));
	return full / 2 + (full / 2) * random;
}

/**
 * How long to wait before the next attempt, in milliseconds: at least the backoff, longer when the
 * service asks for it, and no longer than until a new message can be seen.
 *
 * @param runMs milliseconds since the run began
 */
export function computeDelayMs(error: unknown, attempts: number, runMs: number): number {
	const { headers } = error instanceof StatusError ? error.response : { headers: {} };
	const { retryAfterMs = 0 } = readRateLimitHints(headers, Date.now());
	const longest = getAccessDelayMs(error, runMs) || Infinity;
	return Math.min(Math.max(computeBackoffMs(attempts), retryAfterMs), longest);
}
