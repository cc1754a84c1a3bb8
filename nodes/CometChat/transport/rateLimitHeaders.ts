/** Values of a response's rate-limit headers. Invalid values are treated as missing. */
export interface RateLimitHints {
	/** Delay that `Retry-After` specifies, in milliseconds. 0 for a time in the past. */
	retryAfterMs?: number;
	/** Number of requests left in the current window */
	remaining?: number;
	/** Milliseconds until the current window ends. 0 if the window has ended. */
	resetMs?: number;
}

/**
 * Maximum length of a rate-limit window, since CometChat counts requests per minute. If a window seems to end
 * later, a clock is wrong.
 */
const MAX_WINDOW_MS = 60_000;

/** Milliseconds added to the end of a rate-limit window, because clocks differ slightly. */
const MARGIN_MS = 50;

/**
 * Reads a response's rate-limit headers. Times are relative to the response's own `Date`, if present.
 *
 * @param headers response headers with lowercase names
 * @param today current time in milliseconds since 1970, according to the system clock
 * @see https://www.cometchat.com/docs/rest-api/rate-limits
 */
export function readRateLimitHints(
	headers: Record<string, unknown>,
	today: number,
): RateLimitHints {
	const now = parseHttpDate(headers.date) ?? today;
	// CometChat's documentation spells these header names in two ways
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
	// Date.parse would read "-1" as a year
	const date = /^[a-z]{3},/i.test(String(value)) ? Date.parse(String(value)) : NaN;
	return Number.isNaN(date) ? undefined : date;
}

/** Parses an unsigned decimal number. Returns undefined for any other value. */
function parseDecimal(value: unknown): number | undefined {
	return /^\d{1,12}(\.\d+)?$/.test(String(value)) ? Number(value) : undefined;
}
