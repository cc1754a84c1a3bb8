/** Headers of a response about the rate limit. Invalid values count as missing. */
export interface RateLimitHints {
	/** Value of Retry-After, in milliseconds from now; 0 for a time in the past */
	retryAfterMs?: number;
	/** Requests left in the current window */
	remaining?: number;
	/** Milliseconds until the current window ends; 0 when it has ended */
	resetMs?: number;
}

/** CometChat counts requests by the minute. A later end of a window means that a clock is wrong. */
export const MAX_WINDOW_MS = 60_000;

/** Milliseconds added to the end of a window, because clocks differ a little. */
const MARGIN_MS = 50;

/**
 * Reads the headers about the rate limit. Times count from the response's own `Date`, if present.
 *
 * @param headers with lower-case names
 * @param today milliseconds since 1970, by the machine's clock
 * @see https://www.cometchat.com/docs/rest-api/rate-limits
 */
export function readRateLimitHints(
	headers: Record<string, unknown>,
	today: number,
): RateLimitHints {
	const now = parseHttpDate(headers.date) ?? today;
	// CometChat's documentation has two spellings
	const told = (name: string) =>
		parseDecimal(headers[`x-ratelimit-${name}`] ?? headers[`x-rate-limit-${name}`]);
	const reset = told('reset');
	return {
		retryAfterMs: readRetryAfterMs(headers['retry-after'], now),
		remaining: told('remaining'),
		resetMs: reset && Math.max(0, Math.min(reset * 1000 - now, MAX_WINDOW_MS) + MARGIN_MS),
	};
}

/** Reads `Retry-After`: seconds, or an HTTP date. */
function readRetryAfterMs(value: unknown, now: number): number | undefined {
	const seconds = parseDecimal(value);
	if (seconds !== undefined) return seconds * 1000;
	const date = parseHttpDate(value);
	return date && Math.max(0, date - now);
}

/** Reads an HTTP date, in milliseconds since 1970; undefined for other values. */
export function parseHttpDate(value: unknown): number | undefined {
	// Date.parse reads "-1" as a year
	const date = /^[a-z]{3},/i.test(String(value)) ? Date.parse(String(value)) : NaN;
	return Number.isNaN(date) ? undefined : date;
}

/** Reads a decimal number, 0 or larger. */
function parseDecimal(value: unknown): number | undefined {
	return /^\d{1,12}(\.\d+)?$/.test(String(value)) ? Number(value) : undefined;
}
