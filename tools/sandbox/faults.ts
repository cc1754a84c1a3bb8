import { z } from 'zod/v4';
import { parseAs } from './parse';
import { RateWindow, WINDOW, type RateState } from './rateLimits';

const ms = z.number().min(0);
const headers = z.record(z.string(), z.string());
const yes = z.literal(true);

/** Conditions of a fault rule. The rule applies to requests that match all conditions. */
const FAULT_MATCH = z
	.strictObject({
		method: z.string(),
		/** Prefix of the request path, or a regular expression if the value starts with `^`. */
		path: z.string(),
		/** Positions of affected requests among those that match method and path, starting at 1. */
		nth: z.array(z.int()),
		/** Maximum number of requests that the rule applies to. */
		times: z.int(),
	})
	.partial();

/**
 * Effects on a request. Effects can be combined within a rule and across rules. If several effects replace
 * the service's response, the first effect in this list wins.
 */
const FAULT_EFFECT = z
	.strictObject({
		/** Delays the request by `ms`, plus a random delay of up to `jitterMs`, before all other effects. */
		latency: z.strictObject({ ms, jitterMs: ms.optional() }),
		/** Closes the connection before processing the request. */
		cutBefore: yes,
		/** Responds with 429 to requests that exceed the rate limit for a time window. */
		window: WINDOW,
		/** Responds with 429 and a Retry-After of `seconds`, 1 by default. */
		tooManyRequests: z.strictObject({ seconds: z.number() }).partial(),
		/**
		 * Responds with the given status and body. A string body is sent unchanged, and any other body is sent as
		 * JSON.
		 */
		status: z.strictObject({
			status: z.int(),
			body: z.unknown().optional(),
			headers: headers.optional(),
		}),
		/** Responds with an error whose message, devMessage, and details contain the caller's API key. */
		echoKey: z.strictObject({ status: z.int(), code: z.string().optional() }),
		redirect: z.strictObject({ status: z.int(), location: z.string() }),
		/** Responds with 200 and an HTML page without processing the request, as a proxy might. */
		html: yes,
		/** Processes the request, then closes the connection without responding. */
		cutAfter: yes,
		/** Processes the request and responds with 200 and an empty body. */
		empty: yes,
		/** Processes the request and responds with 204. */
		noContent: yes,
		/** Processes the request and responds with 200 and `{}`. */
		noData: yes,
		/** Processes the request, but sends only the first half of the response's JSON. */
		brokenJson: yes,
		/** Processes the request and adds the caller's API key to each item in the response. */
		echoKeyInItem: yes,
		/**
		 * Sends the response headers immediately, then a space every `everyMs` milliseconds, before the body
		 * (default) or after its first character. The rest of the body follows after `forMs` milliseconds, or
		 * never by default.
		 */
		trickle: z.strictObject({
			everyMs: ms,
			forMs: ms.optional(),
			where: z.enum(['before', 'inside']).optional(),
		}),
		/** Sends the headers and the first half of the body, then closes the connection, or sends nothing more. */
		half: z.enum(['cut', 'stall']),
		/** Adds this number to Content-Length, and closes the connection after the body. */
		wrongLength: z.int(),
		/** Creates this number of groups after the request, so that the next page of groups repeats some. */
		newGroups: z.int(),
	})
	.partial();

const FAULT_RULE = z.strictObject({ match: FAULT_MATCH.optional(), effect: FAULT_EFFECT });

export type FaultEffect = z.infer<typeof FAULT_EFFECT>;
export type FaultRule = z.infer<typeof FAULT_RULE>;
export type FaultPlan = FaultRule[];

/** @throws {TypeError} if the value isn't a list of rules, or if a rule has an unknown condition or effect */
export function parseFaultPlan(value: unknown): FaultPlan {
	return parseAs(z.array(FAULT_RULE), value, 'Fault plan');
}

/** Combined effects of all rules that apply to a request. */
export interface ActiveFaults {
	/** Names of the effects, joined by `+`, for the log. */
	name: string;
	effect: FaultEffect;
	/** Milliseconds to wait before processing the request. */
	delay: number;
	/** State of the rate limit with the longest wait. */
	rate?: RateState;
}

/**
 * Selects the faults for each request. Keeps the counters, random sequence, and rate limits of each rule in a
 * plan.
 */
export class Faults {
	private readonly rules: RuleState[];

	constructor(plan: FaultPlan = []) {
		this.rules = plan.map((rule) => new RuleState(rule));
	}

	/** @returns undefined if no rule applies to the request */
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
	private readonly random = seededRandom(1);
	private readonly isOnPath: (path: string) => boolean;
	private readonly window?: RateWindow;

	constructor(private readonly rule: FaultRule) {
		const { path = '' } = rule.match ?? {};
		const pattern = path.startsWith('^') ? new RegExp(path) : undefined;
		if (rule.effect.window) this.window = new RateWindow(rule.effect.window);
		this.isOnPath = (received) => (pattern ? pattern.test(received) : received.startsWith(path));
	}

	applies(method: string, path: string): boolean {
		const { method: ownMethod = method, nth, times } = this.rule.match ?? {};
		if (ownMethod.toUpperCase() !== method || !this.isOnPath(path)) return false;
		this.seen++;
		if (nth && !nth.includes(this.seen)) return false;
		if (times !== undefined && this.applied >= times) return false;
		this.applied++;
		return true;
	}

	addTo(active: ActiveFaults): void {
		const { effect } = this.rule;
		if (effect.latency) {
			active.delay += effect.latency.ms + this.random() * (effect.latency.jitterMs ?? 0);
		}
		if (this.window) {
			const state = this.window.take();
			if (!active.rate || state.wait > active.rate.wait) active.rate = state;
		}
		// If two rules set the same effect, the first rule wins
		active.effect = { ...effect, ...active.effect };
		active.name = [active.name, ...Object.keys(effect)].filter(Boolean).join('+');
	}
}

/**
 * Creates a seeded random number generator (mulberry32) that returns numbers between 0 and 1. The same seed
 * always produces the same sequence.
 */
export function seededRandom(seed: number): () => number {
	let state = seed >>> 0;
	return () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
}
