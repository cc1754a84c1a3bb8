/** Which requests a rule applies to. Everything given has to hold; nothing given means every request. */
export interface FaultMatch {
	method?: string;
	/** Start of the path as received; a text that starts with `^` is a regular expression. */
	path?: string;
	/** The n-th requests, from 1, among those that method and path let through. */
	nth?: number[];
	/** Every n-th of them. */
	every?: number;
	/** Probability from 0 to 1. The same `seed` gives the same sequence. */
	rate?: number;
	seed?: number;
	/** At most so many times. */
	times?: number;
}

/** How a 429 says when to come back: whole seconds, an HTTP date, or not at all. */
export type RetryAfterForm = 'seconds' | 'date' | 'none';

/**
 * What happens to a request. Several effects, of one rule or of several, combine; among those that answer in the service's
 * place, the first in the order below wins.
 */
export interface FaultEffect {
	/** Waits before anything else happens; `jitterMs` adds up to so much more. */
	latency?: { ms: number; jitterMs?: number };
	/** Closes the connection before the work is done. */
	cutBefore?: true;
	/** 429 once more than so many requests come: `perMinute` tokens flow in, `burst` (default: perMinute) fit. */
	tokenBucket?: {
		perMinute: number;
		burst?: number;
		/** Speeds the bucket's clock up. Default 1. */
		timeScale?: number;
		retryAfter?: RetryAfterForm;
	};
	/** 429 at once. `seconds` is what Retry-After asks for; default 1. */
	tooManyRequests?: { seconds?: number; retryAfter?: RetryAfterForm };
	/** Any status, with any body: text goes out as it is, anything else as JSON. */
	status?: { status: number; body?: unknown; headers?: Record<string, string> };
	/** A refusal whose message, devMessage and details repeat the caller's API key. */
	echoKey?: { status: number; code?: string };
	/** A redirect. */
	redirect?: { status: number; location: string };
	/** 200 with a web page, as a proxy in between would give. The work is not done. */
	html?: true;
	/** Closes the connection after the work is done, without an answer. */
	cutAfter?: true;
	/** The work is done, and answered 200 without a single byte. */
	empty?: true;
	/** The work is done, and answered 204. */
	noContent?: true;
	/** The work is done, and answered 200 with `{}`. */
	noData?: true;
	/** The work is done, and answered 200 with `{"data":null}`. */
	nullData?: true;
	/** The work is done, and the JSON of the answer breaks off in the middle. */
	brokenJson?: true;
	/** Spreads the body over so many milliseconds. */
	slowBody?: { ms: number };
	/** List groups answers page 1's groups for every page, and claims that there is another. */
	repeatPage?: true;
	/** List groups never ends: each page is full of groups not seen before, and claims that there is another. */
	endless?: true;
	/** After each page of groups so many new groups appear at the front of the list, so that later pages repeat some. */
	moveList?: { insert: number };
}

export interface FaultRule {
	match?: FaultMatch;
	effect: FaultEffect;
}

export type FaultPlan = FaultRule[];

const EFFECTS: ReadonlyArray<keyof FaultEffect> = [
	'latency',
	'cutBefore',
	'tokenBucket',
	'tooManyRequests',
	'status',
	'echoKey',
	'redirect',
	'html',
	'cutAfter',
	'empty',
	'noContent',
	'noData',
	'nullData',
	'brokenJson',
	'slowBody',
	'repeatPage',
	'endless',
	'moveList',
];
const MATCHES: ReadonlyArray<keyof FaultMatch> = [
	'method',
	'path',
	'nth',
	'every',
	'rate',
	'seed',
	'times',
];

/** The effects of all rules that apply to one request. `name` lists them, for the log. */
export interface ActiveFaults {
	name: string;
	effect: FaultEffect;
	/** Milliseconds to wait before the work. */
	delay: number;
	/** Seconds until the token bucket has a token again; undefined when it had one. */
	bucketWait?: number;
}

/** Decides which faults a request meets. Keeps the counters, dice and buckets of a plan. */
export class FaultEngine {
	private readonly rules: RuleState[];

	constructor(plan: FaultPlan = []) {
		this.rules = plan.map((rule) => new RuleState(rule));
	}

	/** Undefined when the request meets no fault. */
	select(method: string, path: string): ActiveFaults | undefined {
		let active: ActiveFaults | undefined;
		for (const rule of this.rules) {
			if (!rule.applies(method, path)) continue;
			active ??= { name: '', effect: {}, delay: 0 };
			rule.addTo(active);
		}
		return active;
	}
}

class RuleState {
	private seen = 0;
	private applied = 0;
	private readonly random: () => number;
	private readonly onPath: (path: string) => boolean;
	private readonly bucket?: TokenBucket;

	constructor(private readonly rule: FaultRule) {
		const { match: { path = '', seed = 1 } = {}, effect } = rule;
		this.random = seededRandom(seed);
		const pattern = path.startsWith('^') ? new RegExp(path) : undefined;
		this.onPath = (received) => (pattern ? pattern.test(received) : received.startsWith(path));
		if (effect.tokenBucket) this.bucket = new TokenBucket(effect.tokenBucket);
	}

	applies(method: string, path: string): boolean {
		const { method: wanted, nth, every, rate, times } = this.rule.match ?? {};
		if (wanted !== undefined && wanted.toUpperCase() !== method) return false;
		if (!this.onPath(path)) return false;
		this.seen++;
		if (nth && !nth.includes(this.seen)) return false;
		if (every !== undefined && this.seen % every !== 0) return false;
		if (rate !== undefined && this.random() >= rate) return false;
		if (times !== undefined && this.applied >= times) return false;
		this.applied++;
		return true;
	}

	addTo(active: ActiveFaults): void {
		const { effect } = this.rule;
		if (effect.latency) {
			active.delay += effect.latency.ms + this.random() * (effect.latency.jitterMs ?? 0);
		}
		if (this.bucket) {
			const wait = this.bucket.take();
			if (wait > 0) active.bucketWait = Math.max(wait, active.bucketWait ?? 0);
		}
		// A rule that comes first wins where two set the same effect.
		active.effect = { ...effect, ...active.effect };
		active.name = [active.name, ...Object.keys(effect)].filter(Boolean).join('+');
	}
}

class TokenBucket {
	private readonly size: number;
	private readonly perMillisecond: number;
	private tokens: number;
	private filledAt = performance.now();

	constructor({
		perMinute,
		burst = perMinute,
		timeScale = 1,
	}: NonNullable<FaultEffect['tokenBucket']>) {
		if (!(perMinute > 0 && timeScale > 0)) throw new RangeError('A token bucket has to fill');
		this.size = burst;
		this.tokens = burst;
		this.perMillisecond = (perMinute * timeScale) / 60_000;
	}

	/** Takes a token. @returns 0, or the seconds until there is one. */
	take(): number {
		const now = performance.now();
		this.tokens = Math.min(this.size, this.tokens + (now - this.filledAt) * this.perMillisecond);
		this.filledAt = now;
		if (this.tokens >= 1) {
			this.tokens -= 1;
			return 0;
		}
		return (1 - this.tokens) / this.perMillisecond / 1000;
	}
}

/** Numbers from 0 up to 1, always the same ones for a seed (mulberry32). */
function seededRandom(seed: number): () => number {
	let state = seed >>> 0;
	return () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
}

/**
 * The value of Retry-After, which knows only whole seconds: rounded up, so that who obeys does not come too early.
 *
 * @param seconds seconds to wait
 */
export function retryAfter(seconds: number, form: RetryAfterForm = 'seconds'): string | undefined {
	if (form === 'none') return undefined;
	const whole = Math.ceil(seconds);
	if (form === 'seconds') return String(whole);
	return new Date((Math.ceil(Date.now() / 1000) + whole) * 1000).toUTCString();
}

function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function checkKeys(value: unknown, known: readonly string[], place: string): void {
	if (!isRecord(value)) throw new TypeError(`${place} has to be an object`);
	const unknown = Object.keys(value).filter((key) => !known.includes(key));
	if (unknown.length > 0) throw new TypeError(`${place} has no ${unknown.join(', ')}`);
}

function isFaultRule(value: unknown): value is FaultRule {
	checkKeys(value, ['match', 'effect'], 'A rule');
	if (!isRecord(value)) return false;
	if (value.match !== undefined) checkKeys(value.match, MATCHES, 'match');
	checkKeys(value.effect, EFFECTS, 'effect');
	return true;
}

/**
 * Reads a plan that came as JSON.
 *
 * @throws {TypeError} when it is not a list of rules, or names a match or an effect that does not exist
 */
export function parseFaultPlan(value: unknown): FaultPlan {
	if (!Array.isArray(value)) throw new TypeError('A fault plan is a list of rules');
	return value.filter(isFaultRule);
}
