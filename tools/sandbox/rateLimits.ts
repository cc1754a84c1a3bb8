/**
 * How a 429 says when to come back: whole seconds, an HTTP date, not at all, `0`, or a date that has passed, as of a service
 * whose clock is behind.
 */
export type RetryAfterForm = 'seconds' | 'date' | 'none' | '0' | 'past';

/** What a rate limit tells of itself. */
export interface RateLimitForm {
	/** Default seconds. */
	retryAfter?: RetryAfterForm;
	/**
	 * Headers on every response, in one of the two spellings of the documents: the limit, what remains, and the Unix second of
	 * the reset, which `x-rate-limit` has on refused responses only. Or any headers, right or wrong. Default none.
	 */
	rateHeaders?: 'x-rate-limit' | 'x-ratelimit' | 'none' | Record<string, string>;
}

/** `perMinute` tokens flow in, and `burst` (default: perMinute) fit. */
export interface TokenBucketOptions extends RateLimitForm {
	perMinute: number;
	burst?: number;
	/** Speeds the bucket's clock up. Default 1. */
	timeScale?: number;
}

/** So many requests in each span of so many milliseconds; the spans are aligned to the clock. */
export interface WindowOptions extends RateLimitForm {
	requests: number;
	ms: number;
}

/**
 * The calls that the service limits apart from each other: `send` (POST /messages, and a reply in a thread; each sender has a
 * limit of their own), `core` (a user made or deleted, a group made, members added or removed), and `standard`, all others.
 */
export type CallKind = 'standard' | 'core' | 'send';

const KINDS: ReadonlyArray<[Exclude<CallKind, 'standard'>, RegExp]> = [
	['send', /^POST \/messages(\/[^/]+\/thread)?$/],
	['core', /^(POST \/users|DELETE \/users\/[^/]+|POST \/groups)$/],
	['core', /^(POST|DELETE) \/groups\/[^/]+\/members(\/[^/]+)?$/],
];

/** @param path as received: `/v3/…`, or `/app/{appId}/v3/…` */
export function kindOf(method: string, path: string): CallKind {
	const call = `${method} ${path.replace(/^(\/app\/[^/]*)?\/v3/, '')}`;
	return KINDS.find(([, pattern]) => pattern.test(call))?.[0] ?? 'standard';
}

/** How a request found a rate limit. */
export interface RateState {
	/** Milliseconds until the next request is let through; 0 when this one is. */
	wait: number;
	limit: number;
	remaining: number;
	/** When the limit is whole again, in milliseconds since 1970. */
	resetAt: number;
}

export interface RateLimit {
	/** Counts a request. */
	take(): RateState;
}

export class TokenBucket implements RateLimit {
	private readonly size: number;
	private readonly perMillisecond: number;
	private tokens: number;
	private filledAt = performance.now();

	constructor({ perMinute, burst = perMinute, timeScale = 1 }: TokenBucketOptions) {
		if (!(perMinute > 0 && timeScale > 0)) throw new RangeError('A token bucket has to fill');
		this.size = burst;
		this.tokens = burst;
		this.perMillisecond = (perMinute * timeScale) / 60_000;
	}

	take(): RateState {
		const now = performance.now();
		this.tokens = Math.min(this.size, this.tokens + (now - this.filledAt) * this.perMillisecond);
		this.filledAt = now;
		const isFree = this.tokens >= 1;
		if (isFree) this.tokens -= 1;
		return {
			wait: isFree ? 0 : (1 - this.tokens) / this.perMillisecond,
			limit: this.size,
			remaining: Math.floor(this.tokens),
			resetAt: Date.now() + (this.size - this.tokens) / this.perMillisecond,
		};
	}
}

export class Window implements RateLimit {
	private readonly requests: number;
	private readonly ms: number;
	private current = -1;
	private taken = 0;

	constructor({ requests, ms }: WindowOptions) {
		if (!(requests > 0 && ms > 0)) throw new RangeError('A window has to let something through');
		this.requests = requests;
		this.ms = ms;
	}

	take(): RateState {
		const now = Date.now();
		const current = Math.floor(now / this.ms);
		if (current !== this.current) this.taken = 0;
		this.current = current;
		const resetAt = (current + 1) * this.ms;
		const isFree = this.taken < this.requests;
		if (isFree) this.taken++;
		return {
			wait: isFree ? 0 : resetAt - now,
			limit: this.requests,
			remaining: this.requests - this.taken,
			resetAt,
		};
	}
}

const PAST = 90;

/**
 * The value of Retry-After, which knows only whole seconds: rounded up, so that who obeys does not come too early.
 *
 * @param seconds seconds to wait
 */
export function retryAfter(seconds: number, form: RetryAfterForm = 'seconds'): string | undefined {
	if (form === 'none') return undefined;
	if (form === '0') return '0';
	const whole = Math.ceil(seconds);
	if (form === 'seconds') return String(whole);
	const now = Math.ceil(Date.now() / 1000);
	return new Date((form === 'past' ? now - PAST : now + whole) * 1000).toUTCString();
}

const SPELLINGS = {
	'x-rate-limit': {
		limit: 'x-rate-limit',
		remaining: 'x-rate-limit-remaining',
		reset: 'x-rate-limit-reset',
	},
	'x-ratelimit': {
		limit: 'x-ratelimit-limit',
		remaining: 'x-ratelimit-remaining',
		reset: 'x-ratelimit-reset',
	},
} as const;

/** The headers that tell of a rate limit, on a response that it let through or refused. */
export function rateHeaders(
	{ wait, limit, remaining, resetAt }: RateState,
	{ rateHeaders: shown = 'none' }: RateLimitForm,
): Record<string, string> {
	if (shown === 'none') return {};
	if (typeof shown !== 'string') return shown;
	const names = SPELLINGS[shown];
	const isResetShown = shown === 'x-ratelimit' || wait > 0;
	return {
		[names.limit]: String(limit),
		[names.remaining]: String(remaining),
		...(isResetShown ? { [names.reset]: String(Math.ceil(resetAt / 1000)) } : {}),
	};
}
