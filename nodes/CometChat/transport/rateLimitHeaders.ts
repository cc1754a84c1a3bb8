import type { RestResponse } from './restTypes';

/** Values of a response's rate-limit headers. Invalid values are treated as missing. */
export interface ParsedRateLimitHeaders {
	/** Delay that `Retry-After` specifies, in milliseconds */
	retryAfterMs?: number;
	/** Number of requests left in the current window */
	remaining?: number;
	/** Milliseconds until the current window ends, plus `MARGIN_MS`. At least 0. */
	resetAfterMs?: number;
}

/** The properties of a response from which rate limits are read. */
export type ResponseWithRateLimitHeaders = Pick<RestResponse, 'statusCode' | 'headers' | 'text'>;

/** Verdict that the rate limit allowed a request, with values from the response's headers. */
export interface AcceptedVerdict extends Pick<
	ParsedRateLimitHeaders,
	'remaining' | 'resetAfterMs'
> {
	name: 'accepted';
}

/**
 * Conclusion about a rate limit from the outcome of a request:
 *
 * - refused: the status is 429. The response may say how long to wait.
 * - accepted: the limit allowed the request.
 * - inconclusive: the request got no response, or one with a status of 500 or higher.
 */
export type LimitVerdict =
	{ name: 'refused'; waitMs?: number } | AcceptedVerdict | { name: 'inconclusive' };

/**
 * Maximum length of a rate-limit window in milliseconds, because CometChat counts requests per minute. If a window
 * seems to end later, a clock is wrong.
 */
const MAX_WINDOW_MS = 60_000;

/** Maximum number of characters at the start of a response to search for the time to wait. */
const MAX_SEARCHED_CHARACTERS = 10_000;

/** Milliseconds added to the end of a rate-limit window, because clocks differ slightly. */
const MARGIN_MS = 50;

/**
 * Determines from a response whether the rate limit allowed the request, and what the response says about the
 * limit.
 *
 * @param response undefined if the request got no response
 * @param systemTime current time in milliseconds since 1970, according to the system clock
 */
export function readLimitVerdict(
	response: ResponseWithRateLimitHeaders | undefined,
	systemTime: number,
): LimitVerdict {
	// A status of 500 or more may come from a gateway, so it says nothing certain about CometChat's limit
	if (response === undefined || response.statusCode >= 500) return { name: 'inconclusive' };
	const { statusCode, headers, text } = response;
	const { retryAfterMs, remaining, resetAfterMs } = readRateLimitHeaders(headers, systemTime);
	if (statusCode !== 429) return { name: 'accepted', remaining, resetAfterMs };
	// A wait of 0 counts as missing, because CometChat has just refused the request
	return {
		name: 'refused',
		waitMs: (retryAfterMs ?? readWaitMsInText(text)) || resetAfterMs || undefined,
	};
}

/**
 * Reads a response's rate-limit headers. Times are relative to the response's own `Date` if the system clock shows
 * another time.
 *
 * @param headers response headers with lowercase names
 * @param systemTime current time in milliseconds since 1970, according to the system clock
 * @see https://www.cometchat.com/docs/rest-api/rate-limits
 */
export function readRateLimitHeaders(
	headers: Record<string, unknown>,
	systemTime: number,
): ParsedRateLimitHeaders {
	const now = readServiceTime(headers.date, systemTime);
	// CometChat's documentation spells these header names in two ways (open question 12)
	const read = (name: string) =>
		parseDecimal(headers[`x-ratelimit-${name}`] ?? headers[`x-rate-limit-${name}`]);
	const reset = read('reset');
	return {
		retryAfterMs: readRetryAfter(headers['retry-after'], now),
		remaining: read('remaining'),
		resetAfterMs: reset && Math.max(0, Math.min(reset * 1000 - now, MAX_WINDOW_MS) + MARGIN_MS),
	};
}

/**
 * Returns the service's current time in milliseconds since 1970. `Date` contains whole seconds, so the system clock is
 * more precise if it shows the same second, or the next second because the response took time.
 */
function readServiceTime(date: unknown, systemTime: number): number {
	const serviceSecond = Date.parse(String(date)) || systemTime;
	const aheadMs = systemTime - serviceSecond;
	return aheadMs >= 0 && aheadMs < 2_000 ? systemTime : serviceSecond;
}

/**
 * Reads `Retry-After` in milliseconds. CometChat sends seconds. CDNs and gateways also send an HTTP date.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-10.2.3
 */
function readRetryAfter(value: unknown, now: number): number | undefined {
	const seconds = parseDecimal(value);
	if (seconds !== undefined) return seconds * 1000;
	const date = parseHttpDate(value);
	return date && Math.max(0, date - now);
}

/** Matches the wait in a refusal's text, e.g. "Please retry after 8 seconds". */
const WAIT_IN_TEXT_PATTERN = /\bretry[ -]after:? (\d{1,9}(?:\.\d+)?) ?(ms|milli|min)?/i;

/** Milliseconds per unit, keyed by the beginning of the unit's name. Default: seconds. */
const UNIT_MS: Record<string, number> = { ms: 1, milli: 1, min: 60_000 };

/**
 * Reads the wait in a refusal's text, in milliseconds. The headers may be missing: public test code that calls
 * CometChat reads the wait from the text.
 */
export function readWaitMsInText(text = ''): number | undefined {
	const [, time, unit = ''] =
		WAIT_IN_TEXT_PATTERN.exec(text.slice(0, MAX_SEARCHED_CHARACTERS)) ?? [];
	return time === undefined ? undefined : Number(time) * (UNIT_MS[unit.toLowerCase()] ?? 1_000);
}

/** Matches the three date formats of RFC 9110. Only the last format has no time zone. */
const HTTP_DATE_PATTERN =
	/^(?:[A-Z][a-z]{2,8}, [\w -]+ [\d:]{8} GMT|[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d [\d:]{8} \d{4})$/;

/** Parses an HTTP date as milliseconds since 1970. Returns undefined for any other value. */
function parseHttpDate(value: unknown): number | undefined {
	const text = String(value);
	if (!HTTP_DATE_PATTERN.test(text)) return undefined;
	return Date.parse(text.endsWith('GMT') ? text : `${text} GMT`) || undefined;
}

/** Parses an unsigned decimal number with at most 12 digits before the point. Returns undefined for any other value. */
function parseDecimal(value: unknown): number | undefined {
	return /^\d{1,12}(\.\d+)?$/.test(String(value)) ? Number(value) : undefined;
}
