import { z } from 'zod/v4';

/**
 * Format of the Retry-After header in a 429 response. `0` and `past` simulate a service whose clock is
 * behind.
 */
export const RETRY_AFTER_FORM = z.enum(['seconds', 'date', 'none', '0', 'past']);

export type RetryAfterForm = z.infer<typeof RETRY_AFTER_FORM>;

/** A rate limit per time window. Windows start at multiples of their length since 1970. */
export const WINDOW = z.strictObject({
	requests: z.int().min(1),
	/** Length of the window in milliseconds. */
	ms: z.number().positive(),
	/** Format of the Retry-After header. Defaults to `seconds`. */
	retryAfter: RETRY_AFTER_FORM.optional(),
	/**
	 * Rate-limit headers in each response, either one of the two spellings in the service's documentation or
	 * custom headers. With `x-rate-limit`, only 429 responses contain the reset time. Defaults to `none`.
	 */
	rateHeaders: z
		.union([z.enum(['x-rate-limit', 'x-ratelimit', 'none']), z.record(z.string(), z.string())])
		.optional(),
});

export type RateWindowOptions = z.infer<typeof WINDOW>;

/**
 * Kinds of API calls, each with its own rate limit:
 * - `send`: sending messages and thread replies, limited per sender
 * - `core`: creating and deleting users, creating groups, adding and removing members
 * - `standard`: all other calls
 */
export const CALL_KIND = z.enum(['standard', 'core', 'send']);

export type CallKind = z.infer<typeof CALL_KIND>;

const KINDS: ReadonlyArray<[CallKind, RegExp]> = [
	['send', /^POST \/messages(\/[^/]+\/thread)?$/],
	['core', /^(POST \/users|DELETE \/users\/[^/]+|POST \/groups)$/],
	['core', /^(POST|DELETE) \/groups\/[^/]+\/members(\/[^/]+)?$/],
];

/** @param path request path as received, starting with `/v3/` or `/app/{appId}/v3/` */
export function getCallKind(method: string, path: string): CallKind {
	const call = `${method} ${path.replace(/^(\/app\/[^/]*)?\/v3/, '')}`;
	return KINDS.find(([, pattern]) => pattern.test(call))?.[0] ?? 'standard';
}

/** State of a rate limit after counting a request. */
export interface RateState {
	options: RateWindowOptions;
	/** Milliseconds until the next window, or 0 if the request is allowed. */
	wait: number;
	remaining: number;
	/** End of the window, in milliseconds since 1970. */
	resetAt: number;
}

export class RateWindow {
	private current = -1;
	private taken = 0;

	constructor(private readonly options: RateWindowOptions) {}

	/** Counts a request and returns the updated state of the rate limit. */
	take(): RateState {
		const { requests, ms } = this.options;
		const now = Date.now();
		const current = Math.floor(now / ms);
		if (current !== this.current) this.taken = 0;
		this.current = current;
		const resetAt = (current + 1) * ms;
		const isFree = this.taken < requests;
		if (isFree) this.taken++;
		const wait = isFree ? 0 : resetAt - now;
		return { options: this.options, wait, remaining: requests - this.taken, resetAt };
	}
}

/** Age of a Retry-After date in the `past` format, in seconds. */
const PAST = 90;

/**
 * Returns the Retry-After header's value, rounded up to whole seconds so that clients don't retry too early.
 *
 * @param seconds seconds that the client has to wait
 */
export function retryAfter(seconds: number, form: RetryAfterForm = 'seconds'): string | undefined {
	if (form === 'none') return undefined;
	if (form === '0') return '0';
	const whole = Math.ceil(seconds);
	if (form === 'seconds') return String(whole);
	const now = Math.ceil(Date.now() / 1000);
	return new Date((form === 'past' ? now - PAST : now + whole) * 1000).toUTCString();
}

/** Returns the rate-limit headers for a response. */
export function rateHeaders(state: RateState): Record<string, string> {
	const { options, wait, remaining, resetAt } = state;
	const { requests, rateHeaders: form = 'none' } = options;
	if (form === 'none') return {};
	if (typeof form !== 'string') return form;
	const hasReset = form === 'x-ratelimit' || wait > 0;
	return {
		[form === 'x-ratelimit' ? 'x-ratelimit-limit' : 'x-rate-limit']: String(requests),
		[`${form}-remaining`]: String(remaining),
		...(hasReset ? { [`${form}-reset`]: String(Math.ceil(resetAt / 1000)) } : {}),
	};
}
