import type { IHttpRequestMethods } from 'n8n-workflow';

import { AnswerError } from './answer';
import { ConnectionError, StatusError } from './errors';

/** How long and how often a request may be tried. */
export interface Patience {
	/** Tries in all, the first one included */
	maxTries: number;
	/** From the first try on, in milliseconds */
	maxWaitMs: number;
}

export const DEFAULT_MAX_TRIES = 6;

/** In seconds. */
export const DEFAULT_MAX_WAIT = 300;

const FIRST_BACKOFF_MS = 500;

const LONGEST_BACKOFF_MS = 30_000;

/**
 * Which faults are worth another try. "any": the service certainly did not carry the request out.
 * "reads": it may have, so only requests that change nothing are sent again.
 */
const RETRY_STATUS: Record<number, 'any' | 'reads'> = {
	429: 'any',
	502: 'reads',
	503: 'any',
	504: 'reads',
};

const RETRY_NETWORK_CODE: Record<string, 'any' | 'reads'> = {
	ECONNREFUSED: 'any',
	EAI_AGAIN: 'any',
	ECONNABORTED: 'reads',
	ECONNRESET: 'reads',
	EPIPE: 'reads',
	ERR_BAD_RESPONSE: 'reads', // axios: the body was cut
	ETIMEDOUT: 'reads',
};

function retryKind(error: unknown): 'any' | 'reads' | undefined {
	if (error instanceof StatusError) return RETRY_STATUS[error.answer.statusCode];
	if (error instanceof ConnectionError) return RETRY_NETWORK_CODE[error.code];
	return undefined;
}

/** Whether a request with this method may be sent again after this error. */
export function isWorthRetrying(method: IHttpRequestMethods, error: unknown): boolean {
	const kind = retryKind(error);
	return kind === 'any' || (kind === 'reads' && method === 'GET');
}

/**
 * Whether the service may have carried out a request that ended with this error: then it is not
 * sent again, and the user is told.
 */
export function mayBeDone(method: IHttpRequestMethods, error: unknown): boolean {
	if (method === 'GET' || retryKind(error) === 'any') return false;
	if (error instanceof StatusError) return error.answer.statusCode >= 500;
	if (error instanceof ConnectionError) return error.code !== 'ENOTFOUND';
	return error instanceof AnswerError;
}

export function isRateLimit(error: unknown): boolean {
	return error instanceof StatusError && error.answer.statusCode === 429;
}

/**
 * `Retry-After`, as whole seconds or as an HTTP date.
 *
 * @returns milliseconds from now, 0 for a time that has passed, undefined when there is none
 * @see https://www.rfc-editor.org/rfc/rfc9110#field.retry-after
 */
export function retryAfterMs(value: unknown, now = Date.now()): number | undefined {
	const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
	if (text === '') return undefined;
	if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000;
	const date = Date.parse(text);
	return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/**
 * Exponential backoff with jitter: half of it fixed, so that it never comes down to nothing.
 *
 * @param tries how often the request was sent so far
 * @returns milliseconds
 */
export function backoffMs(tries: number, random = Math.random()): number {
	const full = Math.min(LONGEST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (tries - 1));
	return full / 2 + (full / 2) * random;
}

/** How long to wait before the next try: what the service asks for, else the backoff. */
export function delayMs(error: unknown, tries: number): number {
	const asked =
		error instanceof StatusError ? retryAfterMs(error.answer.headers['retry-after']) : undefined;
	return asked ?? backoffMs(tries);
}
