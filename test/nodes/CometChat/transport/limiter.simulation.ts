import type { Clock } from '../../../../nodes/CometChat/transport/clock';
import {
	MAX_IN_FLIGHT,
	RateLimits,
	RequestLimiter,
} from '../../../../nodes/CometChat/transport/limiter';
import type { LimitedResponse } from '../../../../nodes/CometChat/transport/rateLimit';

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

interface Timer {
	at: number;
	sequence: number;
	end: () => void;
}

/** A clock that jumps from one timer to the next. */
export class VirtualClock implements Clock {
	private readonly timers: Timer[] = [];

	private sequence = 0;

	constructor(private time: number) {}

	now(): number {
		return this.time;
	}

	/** Timers that have not ended. */
	get pending(): readonly Timer[] {
		return this.timers;
	}

	async sleep(ms: number, signal?: AbortSignal): Promise<void> {
		if (signal?.aborted) return;
		await new Promise<void>((resolve) => {
			this.at(this.time + Math.max(0, ms), resolve);
			signal?.addEventListener('abort', () => resolve(), { once: true });
		});
	}

	/** Does something at a time. */
	at(at: number, end: () => void): void {
		const timer = { at, sequence: this.sequence++, end };
		let index = this.timers.push(timer) - 1;
		while (index > 0) {
			const parent = (index - 1) >> 1;
			if (!isSooner(timer, this.timers[parent])) break;
			this.timers[index] = this.timers[parent];
			index = parent;
		}
		this.timers[index] = timer;
	}

	/**
	 * Lets time pass until something is settled.
	 *
	 * @throws when it is not after so many milliseconds, or nothing is left that could settle it
	 */
	async runUntil(settled: Promise<unknown>, longestMs: number): Promise<void> {
		let done = false;
		const end = () => {
			done = true;
		};
		settled.then(end, end);
		const endsAt = this.time + longestMs;
		for (;;) {
			await turn();
			if (done) return;
			const timer = this.takeFirst();
			if (!timer) throw new Error('Nothing is left to wait for');
			if (timer.at > endsAt) throw new Error(`Not settled after ${longestMs} ms`);
			this.time = Math.max(this.time, timer.at);
			timer.end();
		}
	}

	private takeFirst(): Timer | undefined {
		const [first] = this.timers;
		const last = this.timers.pop();
		if (!first || !last || first === last) return first;
		let index = 0;
		for (;;) {
			let child = 2 * index + 1;
			if (child >= this.timers.length) break;
			if (child + 1 < this.timers.length && isSooner(this.timers[child + 1], this.timers[child])) {
				child++;
			}
			if (!isSooner(this.timers[child], last)) break;
			this.timers[index] = this.timers[child];
			index = child;
		}
		this.timers[index] = last;
		return first;
	}
}

function isSooner(a: Timer, b: Timer): boolean {
	return a.at < b.at || (a.at === b.at && a.sequence < b.sequence);
}

/** Lets everything that is ready run. */
export const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** How a service limits the rate. All times in milliseconds since 1970, and never going back. */
export interface Policy {
	/** When a request that comes now could pass. */
	passesAt(now: number): number;
	/** Counts a request that passes. */
	count(now: number): void;
	remaining(now: number): number;
	/** When the window ends, or the bucket is full. */
	resetsAt(now: number): number;
}

export function fixedWindow(limit: number, periodMs: number): Policy {
	let window = -1;
	let used = 0;
	const enter = (now: number) => {
		const current = Math.floor(now / periodMs);
		if (current !== window) used = 0;
		window = current;
	};
	const end = () => (window + 1) * periodMs;
	return {
		passesAt(now) {
			enter(now);
			return used < limit ? now : end();
		},
		count(now) {
			enter(now);
			used++;
		},
		remaining(now) {
			enter(now);
			return limit - used;
		},
		resetsAt(now) {
			enter(now);
			return end();
		},
	};
}

export function tokenBucket(limit: number, periodMs: number, burst = limit): Policy {
	const perMs = limit / periodMs;
	let tokens = burst;
	let filledAt = 0;
	const fill = (now: number) => {
		tokens = Math.min(burst, tokens + Math.max(0, now - filledAt) * perMs);
		filledAt = Math.max(filledAt, now);
	};
	return {
		passesAt(now) {
			fill(now);
			return tokens >= 1 - 1e-6 ? now : now + (1 - tokens) / perMs;
		},
		count(now) {
			fill(now);
			tokens--;
		},
		remaining(now) {
			fill(now);
			return Math.max(0, Math.floor(tokens + 1e-6));
		},
		resetsAt(now) {
			fill(now);
			return now + (burst - tokens) / perMs;
		},
	};
}

export const noLimit: Policy = {
	passesAt: (now) => now,
	count: () => {},
	remaining: () => 1_000_000,
	resetsAt: (now) => now + 60_000,
};

/** Another policy from a time on, counted from the first request. */
export function changing(phases: Array<{ fromMs: number; policy: Policy }>): Policy {
	let start: number | undefined;
	const current = (now: number) => {
		start ??= now;
		const elapsed = now - start;
		return phases.filter(({ fromMs }) => fromMs <= elapsed).pop()?.policy ?? noLimit;
	};
	return {
		passesAt: (now) => current(now).passesAt(now),
		count: (now) => current(now).count(now),
		remaining: (now) => current(now).remaining(now),
		resetsAt: (now) => current(now).resetsAt(now),
	};
}

export type Headers = (policy: Policy, now: number, refused: boolean) => Record<string, unknown>;

const retryAfter: Headers = (policy, now, refused) =>
	refused ? { 'retry-after': String(Math.ceil((policy.passesAt(now) - now) / 1000)) } : {};

/** What is left and until when, with every response. */
const full: Headers = (policy, now, refused) => ({
	...retryAfter(policy, now, refused),
	'x-rate-limit-remaining': String(policy.remaining(now)),
	'x-rate-limit-reset': String(Math.ceil(policy.resetsAt(now) / 1000)),
});

export const HEADERS = {
	full,
	/** The same, but a refusal says only how long to wait */
	ofPasses: (policy, now, refused) => (refused ? retryAfter : full)(policy, now, refused),
	retryAfter,
	none: () => ({}),
} satisfies Record<string, Headers>;

export interface Simulation {
	policy: () => Policy;
	headers: Headers;
	/** From request to response; each takes a quarter more or less */
	latencyMs: number;
	/** Requests of each run */
	count: number;
	/** Runs at the same time */
	runs?: number;
	/** Whether they are in one process */
	together?: boolean;
	seed?: number;
	maxWaitMs?: number;
	/** The app's own servers: how much of the limit they use, in requests a second, at a time */
	othersPerSecond?: (elapsedMs: number) => number;
	longestMs?: number;
}

export interface Outcome {
	passed: number;
	refused: number;
	/** Requests that were given up */
	failed: number;
	elapsedMs: number;
	/** What the policy and the latency allow */
	leastMs: number;
	/** When each run ended */
	endedMs: number[];
	mostInFlight: number;
	/** Whether the first attempts of each run were in order */
	inOrder: boolean;
	/** Requests passed in each second */
	perSecond: number[];
}

const START = 1_790_000_000_000;

export async function simulate(simulation: Simulation): Promise<Outcome> {
	const { headers, latencyMs, count, runs = 1, seed = 1, maxWaitMs = 300_000 } = simulation;
	const random = seededRandom(seed);
	const policy = simulation.policy();
	const start = START + Math.floor(random() * 60_000);
	const clock = new VirtualClock(start);
	const outcome: Outcome = {
		passed: 0,
		refused: 0,
		failed: 0,
		elapsedMs: 0,
		leastMs: leastMs(simulation, start),
		endedMs: [],
		mostInFlight: 0,
		inOrder: true,
		perSecond: [],
	};
	let ended = false;
	const others = () => {
		if (ended || !simulation.othersPerSecond) return;
		if (policy.passesAt(clock.now()) <= clock.now()) policy.count(clock.now());
		const rate = simulation.othersPerSecond(clock.now() - start);
		clock.at(clock.now() + (-Math.log(1 - random()) * 1000) / rate, others);
	};
	others();

	const limitsOfProcess = new RateLimits(clock, random);
	const run = async () => {
		const limits = simulation.together ? limitsOfProcess : new RateLimits(clock, random);
		const limiter = new RequestLimiter({ limits });
		let inFlight = 0;
		let last = -1;
		const attempt = async (order: number, isFirst: boolean): Promise<LimitedResponse> => {
			outcome.mostInFlight = Math.max(outcome.mostInFlight, ++inFlight);
			if (isFirst) {
				outcome.inOrder &&= order > last;
				last = order;
			}
			const oneWay = () => (latencyMs / 2) * (0.75 + 0.5 * random());
			await clock.sleep(oneWay());
			const now = clock.now();
			const refused = policy.passesAt(now) > now;
			if (refused) outcome.refused++;
			else {
				policy.count(now);
				outcome.passed++;
				const second = Math.floor((now - start) / 1000);
				outcome.perSecond[second] = (outcome.perSecond[second] ?? 0) + 1;
			}
			const response = { statusCode: refused ? 429 : 200, headers: headers(policy, now, refused) };
			await clock.sleep(oneWay());
			inFlight--;
			return response;
		};
		await Promise.all(
			Array.from({ length: count }, async (_, order) => {
				let isFirst = true;
				const once = async () => {
					const first = isFirst;
					isFirst = false;
					return await attempt(order, first);
				};
				await limiter.send(once, { app: 'app', order, maxWaitMs }).catch(() => outcome.failed++);
			}),
		);
		outcome.endedMs.push(clock.now() - start);
		limiter.close();
	};
	const all = Promise.all(Array.from({ length: runs }, run));
	await clock.runUntil(all, simulation.longestMs ?? 3_600_000);
	await all;
	ended = true;
	outcome.elapsedMs = clock.now() - start;
	return outcome;
}

/** The time that a client takes that knows the policy, with as many requests in flight. */
function leastMs({ policy, latencyMs, count, runs = 1 }: Simulation, start: number): number {
	const known = policy();
	const slots = Array.from({ length: MAX_IN_FLIGHT * runs }, () => start);
	let arrived = start;
	for (let sent = 0; sent < count * runs; sent++) {
		// The slots become free in the order in which they were taken
		const slot = sent % slots.length;
		arrived = known.passesAt(Math.max(arrived, slots[slot] + latencyMs / 2));
		known.count(arrived);
		slots[slot] = arrived + latencyMs / 2;
	}
	return arrived + latencyMs / 2 - start;
}
