/** What a response says about the rate limit. Anything that makes no sense counts as not said. */
export interface LimitHints {
	/** What Retry-After asks for, in milliseconds from now; 0 for a time that has passed */
	retryAfterMs?: number;
	/** Requests left in the current window */
	remaining?: number;
	/** Milliseconds until the current window ends; 0 when it has ended */
	resetMs?: number;
}

/** CometChat counts by the minute: where a window ends later, one of the clocks is wrong. */
export const LONGEST_WINDOW_MS = 60_000;

/** Clocks differ a little: better to come just after the end of a window than just before. */
const MARGIN_MS = 50;

/**
 * @param headers with lower-case names; their own `Date`, the clock that the other times are told by,
 * goes before ours
 * @param today milliseconds since 1970
 * @see https://www.cometchat.com/docs/rest-api/rate-limits
 */
export function readLimitHints(headers: Record<string, unknown>, today: number): LimitHints {
	const now = dateIn(headers.date) ?? today;
	// CometChat's documents have two spellings
	const told = (name: string) =>
		numberIn(headers[`x-ratelimit-${name}`] ?? headers[`x-rate-limit-${name}`]);
	const reset = told('reset');
	return {
		retryAfterMs: retryAfterMs(headers['retry-after'], now),
		remaining: told('remaining'),
		resetMs: reset && Math.max(0, Math.min(reset * 1000 - now, LONGEST_WINDOW_MS) + MARGIN_MS),
	};
}

/** `Retry-After`: seconds, or an HTTP date. */
function retryAfterMs(value: unknown, now: number): number | undefined {
	const seconds = numberIn(value);
	if (seconds !== undefined) return seconds * 1000;
	const date = dateIn(value);
	return date && Math.max(0, date - now);
}

/** An HTTP date, in milliseconds since 1970; undefined for anything else. */
export function dateIn(value: unknown): number | undefined {
	// Date.parse would take "-1" for a year
	const date = /^[a-z]{3},/i.test(String(value)) ? Date.parse(String(value)) : NaN;
	return Number.isNaN(date) ? undefined : date;
}

/** A number of digits, 0 or larger. */
function numberIn(value: unknown): number | undefined {
	return /^\d{1,12}(\.\d+)?$/.test(String(value)) ? Number(value) : undefined;
}
