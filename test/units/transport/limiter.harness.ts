import type { Clock } from '../../../nodes/CometChat/helpers/clock';
import {
	WaitTooLongError,
	RequestLimiter,
	SharedRateLimits,
} from '../../../nodes/CometChat/transport/limiter';
import type { ResponseWithRateLimitHeaders } from '../../../nodes/CometChat/transport/rateLimitHeaders';

/** Waits until all pending callbacks have run. */
const flush = () => new Promise<void>((resolve) => setImmediate(resolve));

/** A clock that jumps from timer to timer instead of waiting. */
export class VirtualClock implements Clock {
	/** Timers, sorted by due time */
	private readonly timers: Array<{ at: number; end: () => void }> = [];

	constructor(private time: number) {}

	now(): number {
		return this.time;
	}

	systemTime(): number {
		return this.time;
	}

	/** Due times of all pending timers */
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

	/** Schedules a function to be called at the given time. */
	at(at: number, end: () => void): void {
		const before = this.timers.findLastIndex((timer) => timer.at <= at);
		this.timers.splice(before + 1, 0, { at, end });
	}

	/**
	 * Advances the clock until a promise settles.
	 *
	 * @throws if the promise doesn't settle within `longestMs`, or if no timers are left
	 */
	async runUntil<T>(settled: Promise<T>, longestMs: number): Promise<T> {
		let isSettled = false;
		const settle = () => {
			isSettled = true;
		};
		settled.then(settle, settle);
		const endsAt = this.time + longestMs;
		for (;;) {
			await flush();
			if (isSettled) return await settled;
			const timer = this.timers.shift();
			if (!timer) throw new Error('Nothing is left to wait for');
			if (timer.at > endsAt) throw new Error(`Not settled after ${longestMs} ms`);
			this.time = Math.max(this.time, timer.at);
			timer.end();
		}
	}
}

/** Sends a request and retries it after each 429 response, as the client does. */
export async function send<T extends ResponseWithRateLimitHeaders>(
	limiter: RequestLimiter,
	attempt: () => Promise<T>,
	{ limit, order, maxWaitMs }: { limit: string; order: number; maxWaitMs: number },
): Promise<T> {
	for (;;) {
		const response = await limiter.send(limit, order, maxWaitMs, attempt);
		if (response.statusCode !== 429) return response;
	}
}

export const START = Date.UTC(2026, 10, 20, 10, 0, 0);
export const MINUTE = 60_000;

export const OK: ResponseWithRateLimitHeaders = { statusCode: 200, headers: {} };
export const CUT = new Error('The connection was cut');

export const refuse = (headers: Record<string, unknown> = {}): ResponseWithRateLimitHeaders => ({
	statusCode: 429,
	headers,
});

export const refuseFor = (seconds: number) => refuse({ 'retry-after': String(seconds) });

/** Responses to a request's attempts, the last of which repeats, or a function that returns each response. */
type Responses =
	| ReadonlyArray<ResponseWithRateLimitHeaders | Error>
	| (() => Promise<ResponseWithRateLimitHeaders>);

interface RequestOptions {
	/** Name of the rate limit that the request counts against. Defaults to `app`. */
	limit?: string;
	/** Position in the queue. Defaults to the request's index. */
	order?: number;
	/** Maximum wait, in milliseconds. Defaults to five minutes. */
	maxWaitMs?: number;
}

export type TestRequest = [name: string, responses: Responses, options?: RequestOptions];

export const repeat = (count: number, request: TestRequest): TestRequest[] =>
	Array.from({ length: count }, () => request);

export function getError(result: PromiseSettledResult<unknown>): unknown {
	return result.status === 'rejected' ? result.reason : undefined;
}

/** Creates a limiter with a virtual clock, and a service that responds after 10 ms. */
export function setUp({
	signal,
	maxInFlight,
}: { signal?: AbortSignal; maxInFlight?: number } = {}) {
	const clock = new VirtualClock(START);
	const limiter = new RequestLimiter(signal, new SharedRateLimits(clock));
	limiter.freePlaces = maxInFlight ?? limiter.freePlaces;
	const sent: Array<{ name: string; at: number }> = [];
	const settle = async <T>(...promises: Array<Promise<T>>) =>
		await clock.runUntil(Promise.allSettled(promises), 24 * 60 * MINUTE);
	/** Sends a request through the limiter. */
	const start = async (
		[name, responses, { limit = 'app', order, maxWaitMs = 5 * MINUTE } = {}]: TestRequest,
		index = 0,
	) => {
		let next = 0;
		const attempt = async () => {
			sent.push({ name, at: clock.now() - START });
			if (typeof responses === 'function') return await responses();
			const response = responses[Math.min(next++, responses.length - 1)];
			await clock.sleep(10);
			if (response instanceof Error) throw response;
			return response;
		};
		return await send(limiter, attempt, { limit, order: order ?? index, maxWaitMs });
	};
	return {
		clock,
		limiter,
		sent,
		/** Names of the requests sent, in order */
		names: () => sent.map(({ name }) => name).join(''),
		/** Times of all attempts, in milliseconds since the test started */
		times: () => sent.map(({ at }) => at),
		/** Waits until all promises are settled */
		settle,
		start,
		/** Sends requests at the same time and waits for all results */
		sendAll: async (...requests: TestRequest[]) => await settle(...requests.map(start)),
	};
}

/** One symbol per result: ✓ response, ⏱ WaitTooLongError, ✗ another error. */
export const summarize = (results: Array<PromiseSettledResult<unknown>>) =>
	results
		.map((result) => {
			if (result.status === 'fulfilled') return '✓';
			return result.reason instanceof WaitTooLongError ? '⏱' : '✗';
		})
		.join('');
