import { seededRandom } from '../../../tools/sandbox/faults';
import { RequestLimiter, SharedRateLimits } from '../../../nodes/CometChat/transport/limiter';
import type { ResponseWithRateLimitHeaders } from '../../../nodes/CometChat/transport/rateLimitHeaders';
import { send, VirtualClock } from './limiter.harness';

/** A rate-limit window: the maximum number of requests per period, aligned to the service's clock. */
export interface Window {
	requests: number;
	ms: number;
}

/** Rate-limit headers that the service sends. */
export type SentHeaders = 'all' | 'resetWhenRefused' | 'allWhenRefused' | 'retryAfter' | 'none';

/** A run's requests that count against the same limits. */
export interface Load {
	/**
	 * Names of the rate limits that the requests count against. Other senders' requests count against the
	 * second limit too, of which the client doesn't know.
	 */
	limits: string[];
	count: number;
	/** Key under which the load's outcome is returned. Defaults to the first limit. */
	name?: string;
	/** Number of requests that another client has already sent in the first window */
	usedElsewhere?: number;
}

export interface Simulation {
	/** Rate-limit windows, keyed by limit name. A limit without a window accepts all requests. */
	windows: Record<string, Window>;
	/** Loads of each run. Requests from different loads are interleaved evenly. */
	runs: Load[][];
	sentHeaders: SentHeaders;
	/** Average round-trip time, in milliseconds. Each direction varies by up to 25%. */
	latencyMs: number;
	seed: number;
	/** Number of milliseconds that the service's clock is ahead of the client's */
	skewMs?: number;
	/** True if all runs share one process. Defaults to true. */
	isOneProcess?: boolean;
}

export interface Outcome {
	passed: number;
	refused: number;
	failed: number;
	/** Time until the last response, in milliseconds */
	elapsedMs: number;
	/** Ratio of `elapsedMs` to the minimum time possible with the given window and latency */
	relativeTime: number;
}

const START = 1_790_000_000_000;

/** An in-memory service that counts requests per rate-limit window. */
class Service {
	private readonly used = new Map<string, { index: number; count: number }>();

	constructor(private readonly simulation: Simulation) {}

	respond({ limits, usedElsewhere = 0 }: Load, at: number): ResponseWithRateLimitHeaders {
		const { windows, skewMs = 0 } = this.simulation;
		const now = at + skewMs;
		const counted = limits.flatMap((name, place) => {
			const window = windows[name];
			if (!window) return [];
			const index = Math.floor(now / window.ms);
			const known = this.used.get(name) ?? { index, count: place === 0 ? usedElsewhere : 0 };
			const current = known.index === index ? known : { index, count: 0 };
			this.used.set(name, current);
			return [
				{ current, left: window.requests - current.count, resetsAt: (index + 1) * window.ms },
			];
		});
		if (counted.length === 0) return { statusCode: 200, headers: {} };
		const [{ left, resetsAt }] = counted.sort((a, b) => a.left - b.left);
		const isRefused = left === 0;
		if (!isRefused) for (const { current } of counted) current.count++;
		const all = {
			'retry-after': isRefused ? String(Math.ceil((resetsAt - now) / 1000)) : undefined,
			'x-ratelimit-remaining': String(isRefused ? 0 : left - 1),
			'x-ratelimit-reset': String(Math.ceil(resetsAt / 1000)),
		};
		return { statusCode: isRefused ? 429 : 200, headers: this.selectHeaders(all, isRefused) };
	}

	private selectHeaders(all: Record<string, unknown>, isRefused: boolean): Record<string, unknown> {
		const { sentHeaders } = this.simulation;
		if (sentHeaders === 'none') return {};
		if (sentHeaders === 'allWhenRefused') return isRefused ? all : {};
		if (sentHeaders === 'retryAfter') return { 'retry-after': all['retry-after'] };
		if (sentHeaders === 'all' || isRefused) return all;
		return { 'x-ratelimit-remaining': all['x-ratelimit-remaining'] };
	}
}

/** Simulates runs on a virtual clock. Returns the outcomes, keyed by load name. */
export async function simulate(simulation: Simulation): Promise<Record<string, Outcome>> {
	const { runs, windows, latencyMs, skewMs = 0, isOneProcess = true } = simulation;
	const random = seededRandom(simulation.seed);
	const start = START + Math.floor(random() * 60_000);
	const clock = new VirtualClock(start);
	const service = new Service(simulation);
	const outcomes: Record<string, Outcome> = {};
	const shared = new SharedRateLimits(clock);
	const oneWay = () => (latencyMs / 2) * (0.75 + 0.5 * random());
	const outcomeOf = ({ limits: [first], name = first }: Load) =>
		(outcomes[name] ??= { passed: 0, refused: 0, failed: 0, elapsedMs: 0, relativeTime: 0 });
	const run = async (loads: Load[]) => {
		const limits = isOneProcess ? shared : new SharedRateLimits(clock);
		const limiter = new RequestLimiter(undefined, limits);
		const request = async (load: Load, order: number) => {
			const outcome = outcomeOf(load);
			const attempt = async () => {
				await clock.sleep(oneWay());
				const response = service.respond(load, clock.now());
				if (response.statusCode === 429) outcome.refused++;
				await clock.sleep(oneWay());
				return response;
			};
			try {
				await send(limiter, attempt, { limit: load.limits[0], order, maxWaitMs: 300_000 });
				outcome.passed++;
			} catch {
				outcome.failed++;
			}
			outcome.elapsedMs = clock.now() - start;
		};
		await Promise.all(
			loads.flatMap((load, index) =>
				Array.from({ length: load.count }, (_, i) =>
					request(load, (i + index / loads.length) / load.count),
				),
			),
		);
		limiter.stop();
	};
	await clock.runUntil(Promise.all(runs.map(run)), 3_600_000);
	for (const load of runs.flat()) {
		const outcome = outcomeOf(load);
		const window = windows[load.limits.at(-1) ?? ''];
		const count = outcome.passed + outcome.failed;
		const minMs = computeMinMs(window, count, start + skewMs, latencyMs);
		outcome.relativeTime = outcome.elapsedMs / minMs;
	}
	return outcomes;
}

/**
 * Computes the time, in milliseconds, that an ideal client would need. An ideal client knows the rate-limit
 * window and keeps 60 requests in flight.
 */
function computeMinMs(
	window: Window | undefined,
	count: number,
	start: number,
	latencyMs: number,
): number {
	const places = Array.from({ length: 60 }, () => start);
	let arrived = start;
	let index = -1;
	let used = 0;
	for (let sent = 0; sent < count; sent++) {
		// In-flight slots free up in the order in which requests were sent
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
