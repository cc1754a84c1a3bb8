/** Values of a response's rate-limit headers. Invalid values are treated as missing. */
export interface RateLimitHints {
	/** Delay that `Retry-After` specifies, in milliseconds */
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
	const now = Date.parse(String(headers.date)) || today;
	// CometChat's documentation spells these header names in two ways
	const read = (name: string) =>
		parseDecimal(headers[`x-ratelimit-${name}`] ?? headers[`x-rate-limit-${name}`]);
	const reset = read('reset');
	const retryAfter = parseDecimal(headers['retry-after']);
	return {
		retryAfterMs: retryAfter && retryAfter * 1000,
		remaining: read('remaining'),
		resetMs: reset && Math.max(0, Math.min(reset * 1000 - now, MAX_WINDOW_MS) + MARGIN_MS),
	};
}

/** Parses an unsigned decimal number. Returns undefined for any other value. */
function parseDecimal(value: unknown): number | undefined {
	return /^\d{1,12}(\.\d+)?$/.test(String(value)) ? Number(value) : undefined;
}
