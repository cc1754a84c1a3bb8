import {
	kindOf,
	TokenBucket,
	Window,
	type CallKind,
	type RateLimit,
	type RateLimitForm,
	type RateState,
	type RetryAfterForm,
	type TokenBucketOptions,
	type WindowOptions,
} from './rateLimits';

import { isObject } from './types';

export type { CallKind, RateLimitForm, RetryAfterForm } from './rateLimits';

/** Which requests a rule applies to. Everything given has to hold; nothing given means every request. */
export interface FaultMatch {
	method?: string;
	/** Start of the path as received; a text that starts with `^` is a regular expression. */
	path?: string;
	/** What the service limits apart. A rate limit of `send` counts for each sender alone. */
	kind?: CallKind;
	/** The n-th requests, from 1, among those that method, path and kind let through. */
	nth?: number[];
	/** Every n-th of them. */
	every?: number;
	/** Probability from 0 to 1. The same `seed` gives the same sequence. */
	rate?: number;
	seed?: number;
	/** At most so many times. */
	times?: number;
}

/**
 * What happens to a request. Several effects, of one rule or of several, combine; among those that answer in the service's
 * place, the first in the order below wins.
 */
export interface FaultEffect {
	/** Waits before anything else happens; `jitterMs` adds up to so much more. */
	latency?: { ms: number; jitterMs?: number };
	/** Closes the connection before the work is done. */
	cutBefore?: true;
	/** 429 once more than so many requests come. */
	tokenBucket?: TokenBucketOptions;
	/** 429 to all but the first requests of each span of time. */
	window?: WindowOptions;
	/** 429 at once. `seconds` is what Retry-After asks for; default 1. */
	tooManyRequests?: { seconds?: number; retryAfter?: RetryAfterForm };
	/** Any status, 200 included, with any body: text goes out as it is, anything else as JSON. */
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
	/** The work is done, and each item of the response repeats the caller's API key, as it is or encoded. */
	echoKeyInItem?: KeyForm;
	/** Spreads the body over so many milliseconds. */
	slowBody?: { ms: number };
	/**
	 * The head comes at once, then a space every so many milliseconds, before the body (default) or after its first character;
	 * for ever, or for `forMs`, after which the rest of the body comes.
	 */
	trickle?: { everyMs: number; forMs?: number; where?: 'before' | 'inside' };
	/** List groups answers page 1's groups for every page, and claims that there is another. */
	repeatPage?: true;
	/** After each page of groups so many new groups appear at the front of the list, so that later pages repeat some. */
	moveList?: { insert: number };
}

/** How a response writes the key: as it is, percent-encoded, in base64, or as HTML. */
export type KeyForm = 'plain' | 'percent' | 'base64' | 'html';

export interface FaultRule {
	match?: FaultMatch;
	effect: FaultEffect;
}

export type FaultPlan = FaultRule[];

const EFFECTS: ReadonlyArray<keyof FaultEffect> = [
	...(['latency', 'cutBefore', 'tokenBucket', 'window', 'tooManyRequests', 'status'] as const),
	...(['echoKey', 'redirect', 'html', 'cutAfter', 'empty', 'noContent', 'noData'] as const),
	...(['nullData', 'brokenJson', 'echoKeyInItem', 'slowBody', 'trickle'] as const),
	...(['repeatPage', 'moveList'] as const),
];
const MATCHES: ReadonlyArray<keyof FaultMatch> = [
	...(['method', 'path', 'kind', 'nth', 'every', 'rate', 'seed', 'times'] as const),
];

/** The effects of all rules that apply to one request. `name` lists them, for the log. */
export interface ActiveFaults {
	name: string;
	effect: FaultEffect;
	/** Milliseconds to wait before the work. */
	delay: number;
	/** The rate limit that the request meets; where there are several, the one with the longest wait. */
	rate?: { state: RateState; form: RateLimitForm };
}

/** Decides which faults a request meets. Keeps the counters, dice and buckets of a plan. */
export class FaultEngine {
	private readonly rules: RuleState[];

	constructor(plan: FaultPlan = []) {
		this.rules = plan.map((rule) => new RuleState(rule));
	}

	/**
	 * @param sender who acts: the user of `onBehalfOf`, or the app's own
	 * @returns undefined when the request meets no fault
	 */
	select(method: string, path: string, sender: string): ActiveFaults | undefined {
		let active: ActiveFaults | undefined;
		for (const rule of this.rules) {
			if (!rule.applies(method, path)) continue;
			active ??= { name: '', effect: {}, delay: 0 };
			rule.addTo(active, sender);
		}
		return active;
	}
}

type RuleLimit = [limit: RateLimit, form: RateLimitForm];

const limitsOf = ({ tokenBucket, window }: FaultEffect): RuleLimit[] => [
	...(tokenBucket ? [[new TokenBucket(tokenBucket), tokenBucket] as RuleLimit] : []),
	...(window ? [[new Window(window), window] as RuleLimit] : []),
];

class RuleState {
	private seen = 0;
	private applied = 0;
	private readonly random: () => number;
	private readonly onPath: (path: string) => boolean;
	/** By sender; those that everyone shares under '' */
	private readonly limits = new Map<string, RuleLimit[]>();

	constructor(private readonly rule: FaultRule) {
		const { match: { path = '', seed = 1 } = {}, effect } = rule;
		this.random = seededRandom(seed);
		const pattern = path.startsWith('^') ? new RegExp(path) : undefined;
		this.onPath = (received) => (pattern ? pattern.test(received) : received.startsWith(path));
		this.limits.set('', limitsOf(effect));
	}

	applies(method: string, path: string): boolean {
		const { method: wanted, kind, nth, every, rate, times } = this.rule.match ?? {};
		if (wanted !== undefined && wanted.toUpperCase() !== method) return false;
		if (!this.onPath(path)) return false;
		if (kind !== undefined && kind !== kindOf(method, path)) return false;
		this.seen++;
		if (nth && !nth.includes(this.seen)) return false;
		if (every !== undefined && this.seen % every !== 0) return false;
		if (rate !== undefined && this.random() >= rate) return false;
		if (times !== undefined && this.applied >= times) return false;
		this.applied++;
		return true;
	}

	addTo(active: ActiveFaults, sender: string): void {
		const { effect, match } = this.rule;
		if (effect.latency) {
			active.delay += effect.latency.ms + this.random() * (effect.latency.jitterMs ?? 0);
		}
		const whose = match?.kind === 'send' ? sender : '';
		const limits = this.limits.get(whose) ?? limitsOf(effect);
		this.limits.set(whose, limits);
		for (const [limit, form] of limits) {
			const state = limit.take();
			if (!active.rate || state.wait > active.rate.state.wait) active.rate = { state, form };
		}
		// A rule that comes first wins where two set the same effect.
		active.effect = { ...effect, ...active.effect };
		active.name = [active.name, ...Object.keys(effect)].filter(Boolean).join('+');
	}
}

/** Numbers from 0 up to 1, always the same ones for a seed (mulberry32). */
export function seededRandom(seed: number): () => number {
	let state = seed >>> 0;
	return () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
}

function checkKeys(value: unknown, known: readonly string[], place: string): void {
	if (!isObject(value)) throw new TypeError(`${place} has to be an object`);
	const unknown = Object.keys(value).filter((key) => !known.includes(key));
	if (unknown.length > 0) throw new TypeError(`${place} has no ${unknown.join(', ')}`);
}

function isFaultRule(value: unknown): value is FaultRule {
	checkKeys(value, ['match', 'effect'], 'A rule');
	if (!isObject(value)) return false;
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
