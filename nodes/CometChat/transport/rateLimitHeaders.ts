/** Rate limit headers of a response. Invalid values count as missing. */
export interface RateLimitHints {
	/** Value of `Retry-After` in milliseconds from now; 0 for a time in the past */
	retryAfterMs?: number;
	/** Number of requests left in the current window */
	remaining?: number;
	/** Milliseconds until the current window ends; 0 if it has ended */
	resetMs?: number;
}

/** CometChat counts requests per minute. If a window seems to end later, a clock is wrong. */
export const MAX_WINDOW_MS = 60_000;

/** Milliseconds added to the end of a window, because clocks differ slightly. */
const MARGIN_MS = 50;

/**
 * Reads the rate limit headers. Times are relative to the response's own `Date`, if present.
 *
 * @param headers with lowercase names
 * @param today milliseconds since 1970, by the machine's clock
 * @see https://www.cometchat.com/docs/rest-api/rate-limits
 */
export function readRateLimitHints(
	headers: Record<string, unknown>,
	today: number,
): RateLimitHints {
	const now = parseHttpDate(headers.date) ?? today;
	// CometChat's documentation has two spellings
	const read = (name: string) =>
		parseDecimal(headers[`x-ratelimit-${name}`] ?? headers[`x-rate-limit-${name}`]);
	const reset = read('reset');
	return {
		retryAfterMs: readRetryAfterMs(headers['retry-after'], now),
		remaining: read('remaining'),
		resetMs: reset && Math.max(0, Math.min(reset * 1000 - now, MAX_WINDOW_MS) + MARGIN_MS),
	};
}

/** Reads `Retry-After`, which contains seconds or an HTTP date. */
function readRetryAfterMs(value: unknown, now: number): number | undefined {
	const seconds = parseDecimal(value);
	if (seconds !== undefined) return seconds * 1000;
	const date = parseHttpDate(value);
	return date && Math.max(0, date - now);
}

/** Parses an HTTP date to milliseconds since 1970. Returns undefined for other values. */
export function parseHttpDate(value: unknown): number | undefined {
	// Date.parse reads "-1" as a year
	const date = /^[a-z]{3},/i.test(String(value)) ? Date.parse(String(value)) : NaN;
	return Number.isNaN(date) ? undefined : date;
}

/** Parses a decimal number without a sign. */
function parseDecimal(value: unknown): number | undefined {
	return /^\d{1,12}(\.\d+)?$/.test(String(value)) ? Number(value) : undefined;
}
