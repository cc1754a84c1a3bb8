import { z } from 'zod/v4';

/** A rate limit per time window. Windows start at multiples of their length since 1970. */
export const WINDOW = z.strictObject({
	requests: z.int().min(1),
	/** Length of the window in milliseconds. */
	ms: z.number().positive(),
	/**
	 * Rate-limit headers in each response, in one of the two spellings in the service's documentation. With
	 * `x-rate-limit`, only 429 responses contain the reset time. Defaults to `none`.
	 */
	rateHeaders: z.enum(['x-rate-limit', 'x-ratelimit', 'none']).optional(),
});

export type RateWindowOptions = z.infer<typeof WINDOW>;

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

/** Returns the rate-limit headers for a response. */
export function rateHeaders(state: RateState): Record<string, string> {
	const { options, wait, remaining, resetAt } = state;
	const { requests, rateHeaders: form = 'none' } = options;
	if (form === 'none') return {};
	const hasReset = form === 'x-ratelimit' || wait > 0;
	return {
		[form === 'x-ratelimit' ? 'x-ratelimit-limit' : 'x-rate-limit']: String(requests),
		[`${form}-remaining`]: String(remaining),
		...(hasReset ? { [`${form}-reset`]: String(Math.ceil(resetAt / 1000)) } : {}),
	};
}
