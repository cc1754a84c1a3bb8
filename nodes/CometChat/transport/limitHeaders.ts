/** What a response says about the rate limit. Anything that makes no sense counts as not said. */
export interface LimitHints {
	/** What Retry-After asks for, in milliseconds from now; 0 for a time that has passed */
	retryAfterMs?: number;
	/** Requests left in the current window */
	remaining?: number;
	/** Milliseconds until the current window ends; 0 when it has ended */
	resetMs?: number;
}

/** The spellings in use: CometChat's two, and that of the IETF draft. */
const PREFIXES = ['x-rate-limit', 'x-ratelimit', 'ratelimit'];

/** Smaller numbers are seconds from now, larger ones seconds since 1970. */
const FIRST_UNIX_SECONDS = 1_000_000_000;

/** Larger numbers count as this one, so that milliseconds stay exact. */
const LARGEST = 1e12;

/** How far the service's clock may be off before its own `Date` is the better measure. */
const TOLERATED_SKEW_MS = 2_000;

/**
 * @param headers with lower-case names
 * @param now milliseconds since 1970
 * @see https://www.rfc-editor.org/rfc/rfc9110#field.retry-after
 */
export function readLimitHints(headers: Record<string, unknown>, now: number): LimitHints {
	const date = Date.parse(textOf(headers.date));
	// Unless the clocks agree, times are compared with the time of the response
	const serviceNow = Math.abs(date - now) > TOLERATED_SKEW_MS ? date : now;
	const named = (name: string) =>
		PREFIXES.map((prefix) => numberIn(headers[`${prefix}-${name}`])).find(
			(value) => value !== undefined,
		);
	const reset = named('reset');
	return {
		retryAfterMs: retryAfterMs(headers['retry-after'], serviceNow),
		remaining: named('remaining'),
		resetMs: reset === undefined ? undefined : resetMs(reset, serviceNow),
	};
}

function resetMs(seconds: number, now: number): number {
	return Math.max(0, seconds < FIRST_UNIX_SECONDS ? seconds * 1000 : seconds * 1000 - now);
}

/** `Retry-After`: seconds, also with decimals, or an HTTP date. */
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
	return /^\d+(\.\d+)?$/.test(text) ? Math.min(Number(text), LARGEST) : undefined;
}

function textOf(value: unknown): string {
	return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
}
