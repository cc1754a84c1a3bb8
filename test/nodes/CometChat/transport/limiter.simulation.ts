import { seededRandom } from '../../../../tools/sandbox/faults';
import type { Clock } from '../../../../nodes/CometChat/transport/clock';
import {
	RequestLimiter,
	type LimitedResponse,
} from '../../../../nodes/CometChat/transport/limiter';

/** Lets everything that is ready run. */
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** A clock that jumps from one timer to the next. */
export class VirtualClock implements Clock {
	/** Soonest first */
	private readonly timers: Array<{ at: number; end: () => void }> = [];

	constructor(private time: number) {}

	now(): number {
		return this.time;
	}

	today(): number {
		return this.time;
	}

	/** When the timers end that have not ended. */
	get pending(): number[] {
		return this.timers.map(({ at }) => at);
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
		const before = this.timers.findLastIndex((timer) => timer.at <= at);
		this.timers.splice(before + 1, 0, { at, end });
	}

	/**
	 * Lets time pass until something is settled.
	 *
	 * @throws when it is not after so many milliseconds, or nothing is left that could settle it
	 */
	async runUntil<T>(settled: Promise<T>, longestMs: number): Promise<T> {
		let isSettled = false;
		const settle = () => {
			isSettled = true;
		};
		settled.then(settle, settle);
		const endsAt = this.time + longestMs;
		for (;;) {
			await turn();
			if (isSettled) return await settled;
			const timer = this.timers.shift();
			if (!timer) throw new Error('Nothing is left to wait for');
			if (timer.at > endsAt) throw new Error(`Not settled after ${longestMs} ms`);
			this.time = Math.max(this.time, timer.at);
			timer.end();
		}
	}
}

/** So many requests in each span of so many milliseconds of the service's clock. */
export interface Window {
	requests: number;
	ms: number;
}

/** What the service tells of a window. */
export type Told = 'all' | 'resetWhenRefused' | 'retryAfter' | 'nothing';

/** Requests of one run that meet one limit. */
export interface Load {
	limit: string;
	count: number;
	/** Default: no limit */
	window?: Window;
}

export interface Simulation {
	/** Each run's requests; those of one run are sent side by side, in turns */
	runs: Load[][];
	told: Told;
	/** From request to response; each way takes a quarter more or less */
	latencyMs: number;
	seed: number;
	/** How far the service's clock is ahead, in milliseconds */
	skewMs?: number;
	/** Whether the runs are in one process (default) */
	together?: boolean;
}

export interface Outcome {
	passed: number;
	refused: number;
	failed: number;
	/** Until the last response */
	elapsedMs: number;
	/** The same, as a share of what the window and the latency allow at least */
	time: number;
}

const START = 1_790_000_000_000;

/** What all windows let through so far. */
class Service {
	private readonly windows = new Map<string, { index: number; used: number }>();

	constructor(
		private readonly told: Told,
		private readonly skewMs: number,
	) {}

	respond({ limit, window }: Load, at: number): LimitedResponse {
		if (!window) return { statusCode: 200, headers: {} };
		const now = at + this.skewMs;
		const index = Math.floor(now / window.ms);
		const before = this.windows.get(limit);
		const used = before?.index === index ? before.used : 0;
		const isRefused = used >= window.requests;
		this.windows.set(limit, { index, used: isRefused ? used : used + 1 });
		const resetsAt = (index + 1) * window.ms;
		const told = {
			'retry-after': isRefused ? String(Math.ceil((resetsAt - now) / 1000)) : undefined,
			'x-ratelimit-remaining': String(window.requests - used - (isRefused ? 0 : 1)),
			'x-ratelimit-reset': String(Math.ceil(resetsAt / 1000)),
		};
		return { statusCode: isRefused ? 429 : 200, headers: this.shown(told, isRefused) };
	}

	private shown(told: Record<string, unknown>, isRefused: boolean): Record<string, unknown> {
		if (this.told === 'nothing') return {};
		if (this.told === 'retryAfter') return { 'retry-after': told['retry-after'] };
		if (this.told === 'all' || isRefused) return told;
		return { 'x-ratelimit-remaining': told['x-ratelimit-remaining'] };
	}
}

/** Carries out the runs in a time of its own. @returns what became of the requests of each limit */
export async function simulate({
	runs,
	told,
	latencyMs,
	seed,
	skewMs = 0,
	together = true,
}: Simulation): Promise<Record<string, Outcome>> {
	const random = seededRandom(seed);
	const start = START + Math.floor(random() * 60_000);
	const clock = new VirtualClock(start);
	const service = new Service(told, skewMs);
	const outcomes: Record<string, Outcome> = {};
	const shared = new Map();
	const oneWay = () => (latencyMs / 2) * (0.75 + 0.5 * random());
	const run = async (loads: Load[]) => {
		const limits = together ? shared : new Map();
		const limiter = new RequestLimiter({ limits, clock });
		const request = async (load: Load, order: number) => {
			const outcome = (outcomes[load.limit] ??= {
				passed: 0,
				refused: 0,
				failed: 0,
				elapsedMs: 0,
				time: 0,
			});
			const attempt = async () => {
				await clock.sleep(oneWay());
				const response = service.respond(load, clock.now());
				if (response.statusCode === 429) outcome.refused++;
				await clock.sleep(oneWay());
				return response;
			};
			try {
				await limiter.send(attempt, { limit: load.limit, order, maxWaitMs: 300_000 });
				outcome.passed++;
			} catch {
				outcome.failed++;
			}
			outcome.elapsedMs = clock.now() - start;
		};
		await Promise.all(
			loads.flatMap((load) =>
				Array.from({ length: load.count }, (_, i) => request(load, i / load.count)),
			),
		);
		limiter.stop();
	};
	await clock.runUntil(Promise.all(runs.map(run)), 3_600_000);
	for (const load of runs.flat()) {
		const outcome = outcomes[load.limit];
		const count = outcome.passed + outcome.failed;
		outcome.time = outcome.elapsedMs / leastMs({ ...load, count }, start + skewMs, latencyMs);
	}
	return outcomes;
}

/** The time that a client takes that knows the window, with 60 requests in flight. */
function leastMs({ window, count }: Load, start: number, latencyMs: number): number {
	const places = Array.from({ length: 60 }, () => start);
	let arrived = start;
	let index = -1;
	let used = 0;
	for (let sent = 0; sent < count; sent++) {
		// The places become free in the order in which they were taken
		arrived = Math.max(arrived, places[sent % places.length] + latencyMs / 2);
		if (window) {
			const current = Math.floor(arrived / window.ms);
			if (current > index) used = 0;
			index = Math.max(index, current);
			if (used === window.requests) {
				index++;
				used = 0;
			}
			used++;
			arrived = Math.max(arrived, index * window.ms);
		}
		places[sent % places.length] = arrived + latencyMs / 2;
	}
	return arrived + latencyMs / 2 - start;
}
