import {
	RateLimitError,
	RequestLimiter,
	SharedLimits,
} from '../../../nodes/CometChat/transport/limiter';
import type { LimitedResponse } from '../../../nodes/CometChat/transport/rateLimit';
import { send, VirtualClock } from './limiter.simulation';

export const START = Date.UTC(2026, 10, 20, 10, 0, 0);
export const MINUTE = 60_000;

export const OK: LimitedResponse = { statusCode: 200, headers: {} };
export const CUT = new Error('The connection was cut');

export const refuse = (headers: Record<string, unknown> = {}): LimitedResponse => ({
	statusCode: 429,
	headers,
});

export const refuseFor = (seconds: number) => refuse({ 'retry-after': String(seconds) });

/** Responses to a request's attempts, the last of which repeats, or a function that returns each response. */
type Responses = ReadonlyArray<LimitedResponse | Error> | (() => Promise<LimitedResponse>);

interface RequestOptions {
	/** Names of the rate limits that the request counts against. Defaults to `app`. */
	limits?: string[];
	/** Position in the queue. Defaults to the request's index. */
	order?: number;
	/** Maximum wait, in milliseconds. Defaults to five minutes. */
	maxWaitMs?: number;
	/** Run that the request is part of. Defaults to the first run. */
	run?: RequestLimiter;
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
	const shared = new SharedLimits(clock);
	const limiter = new RequestLimiter(signal, shared);
	limiter.freePlaces = maxInFlight ?? limiter.freePlaces;
	const sent: Array<{ name: string; at: number }> = [];
	const settle = async <T>(...promises: Array<Promise<T>>) =>
		await clock.runUntil(Promise.allSettled(promises), 24 * 60 * MINUTE);
	/** Sends a request through the limiter. */
	const start = async (
		[
			name,
			responses,
			{ limits = ['app'], order, maxWaitMs = 5 * MINUTE, run = limiter } = {},
		]: TestRequest,
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
		return await send(run, attempt, { limits, order: order ?? index, maxWaitMs });
	};
	return {
		clock,
		limiter,
		/** Another run in the same process */
		createRun: () => new RequestLimiter(undefined, shared),

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

/** One symbol per result: ✓ response, ⏱ RateLimitError, ✗ another error. */
export const summarize = (results: Array<PromiseSettledResult<unknown>>) =>
	results
		.map((result) => {
			if (result.status === 'fulfilled') return '✓';
			return result.reason instanceof RateLimitError ? '⏱' : '✗';
		})
		.join('');
