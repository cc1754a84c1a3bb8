/** What a response says about the rate limit. Anything that makes no sense counts as not said. */
export interface LimitHints {
	/** What Retry-After asks for, in milliseconds from now; 0 for a time that has passed */
	retryAfterMs?: number;
	/** Requests left in the current window */
	remaining?: number;
	/** Milliseconds until the current window ends */
	resetMs?: number;
}

/** The two spellings of CometChat's documents. */
const PREFIXES = ['x-ratelimit', 'x-rate-limit'];

/** CometChat counts by the minute: a window that ends later was told by a wrong clock. */
const LONGEST_WINDOW_MS = 60_000;

/** Clocks differ a little: better to come just after the end of a window than just before. */
const MARGIN_MS = 50;

/** How far the service's clock may be off before its own `Date` is the better measure. */
const TOLERATED_SKEW_MS = 2_000;

/**
 * @param headers with lower-case names
 * @param now milliseconds since 1970
 * @see https://www.cometchat.com/docs/rest-api/rate-limits
 */
export function readLimitHints(headers: Record<string, unknown>, now: number): LimitHints {
	const date = Date.parse(textOf(headers.date));
	// Unless the clocks agree, times are compared with the time of the response
	const serviceNow = Math.abs(date - now) > TOLERATED_SKEW_MS ? date : now;
	const [remaining, reset = NaN] = ['remaining', 'reset'].map((name) => {
		const values = PREFIXES.map((prefix) => numberIn(headers[`${prefix}-${name}`]));
		return values.find((value) => value !== undefined);
	});
	const resetMs = Math.max(0, reset * 1000 - serviceNow + MARGIN_MS);
	return {
		retryAfterMs: retryAfterMs(headers['retry-after'], serviceNow),
		remaining,
		resetMs: Number.isNaN(reset) ? undefined : Math.min(resetMs, LONGEST_WINDOW_MS),
	};
}

/** `Retry-After`: seconds, or an HTTP date. */
function retryAfterMs(value: unknown, now: number): number | undefined {
	const seconds = numberIn(value);
	if (seconds !== undefined) return seconds * 1000;
	const text = textOf(value);
	// Date.parse would take "-1" for a year
	const date = /^[a-z]{3}/i.test(text) ? Date.parse(text) : NaN;
	return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** A number of digits, 0 or larger. */
function numberIn(value: unknown): number | undefined {
	const text = textOf(value);
	return /^\d{1,12}(\.\d+)?$/.test(text) ? Number(text) : undefined;
}

function textOf(value: unknown): string {
	return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
}
