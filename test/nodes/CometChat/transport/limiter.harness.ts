import {
	RateLimitError,
	RequestLimiter,
	SharedLimits,
} from '../../../../nodes/CometChat/transport/limiter';
import type { LimitedResponse } from '../../../../nodes/CometChat/transport/rateLimit';
import { VirtualClock } from './limiter.simulation';

export const START = Date.UTC(2026, 10, 20, 10, 0, 0);
export const MINUTES = 60_000;

export const OK: LimitedResponse = { statusCode: 200, headers: {} };
export const CUT = new Error('The connection was cut');

export function refusal(headers: Record<string, unknown> = {}): LimitedResponse {
	return { statusCode: 429, headers };
}

export const asks = (seconds: number) => refusal({ 'retry-after': String(seconds) });

/** A limiter that takes no real time, and a service that is 10 ms away. */
export function setUp({
	signal,
	maxInFlight,
}: { signal?: AbortSignal; maxInFlight?: number } = {}) {
	const clock = new VirtualClock(START);
	const limits = new SharedLimits(clock);
	const newLimiter = () => {
		const limiter = new RequestLimiter(signal, limits);
		limiter.freePlaces = maxInFlight ?? limiter.freePlaces;
		return limiter;
	};
	const sent: Array<{ name: string; at: number }> = [];
	const settle = async <T>(...promises: Array<Promise<T>>) =>
		await clock.runUntil(Promise.allSettled(promises), 24 * 60 * MINUTES);
	return {
		clock,
		limiter: newLimiter(),
		/** Another run in the same process */
		newLimiter,
		sent,
		names: () => sent.map(({ name }) => name).join(''),
		times: () => sent.map(({ at }) => at),
		/** An attempt that gets these responses one after the other, and then the last one for ever. */
		attempt: (name: string, ...responses: Array<LimitedResponse | Error>) => {
			let next = 0;
			return async () => {
				sent.push({ name, at: clock.now() - START });
				const response = responses[Math.min(next++, responses.length - 1)];
				await clock.sleep(10);
				if (response instanceof Error) throw response;
				return response;
			};
		},
		/** Lets time pass until all are settled. */
		settle,
		/** Lets so many milliseconds pass. */
		pass: async (ms: number) => await settle(clock.sleep(ms)),
	};
}

export const patient = (order = 0) => ({ limits: ['app'], order, maxWaitMs: 5 * MINUTES });
export const during = (maxWaitMs: number, order = 0) => ({ limits: ['app'], order, maxWaitMs });
export const of = (limit: string, order: number) => ({ ...patient(order), limits: [limit] });
export const many = (count: number, send: (order: number) => Promise<unknown>) =>
	Array.from({ length: count }, (_, order) => send(order));

export function errorOf(result: PromiseSettledResult<unknown>): unknown {
	return result.status === 'rejected' ? result.reason : undefined;
}

/** How each ended: ✓ with a response, ⏱ given up, ✗ with another error. */
export const ends = (results: Array<PromiseSettledResult<unknown>>) =>
	results
		.map((result) => {
			if (result.status === 'fulfilled') return '✓';
			return result.reason instanceof RateLimitError ? '⏱' : '✗';
		})
		.join('');
