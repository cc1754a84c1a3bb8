import fc from 'fast-check';
import { StoppedError } from '../../../nodes/CometChat/transport/failure';
import {
	MAX_IN_FLIGHT_PER_RUN,
	WaitTooLongError,
	RequestLimiter,
	SharedRateLimits,
} from '../../../nodes/CometChat/transport/limiter';
import { MINUTE, send, START, VirtualClock } from './limiter.harness';
import { seededRandom } from '../../../tools/sandbox/faults';

beforeEach(() => void jest.spyOn(Math, 'random').mockImplementation(seededRandom(1)));

describe('With any responses', () => {
	const headerValue = fc.oneof(
		fc.integer({ min: -5, max: 200 }).map(String),
		fc.constantFrom('', 'x', 'NaN', '1e9', '0', '0.2', '-1', '9'.repeat(30), String(START / 1000)),
		fc.integer({ min: -100, max: 100_000 }).map((seconds) => String(START / 1000 + seconds)),
		fc.integer({ min: -1e7, max: 1e7 }).map((ms) => new Date(START + ms).toUTCString()),
	);
	const headers = fc.record(
		{
			'retry-after': headerValue,
			'x-rate-limit-remaining': headerValue,
			'x-ratelimit-reset': headerValue,
		},
		{ requiredKeys: [] },
	);
	const behavior = fc.record({
		/** Response headers. Responses cycle through this list. */
		headers: fc.array(headers, { minLength: 1, maxLength: 6 }),
		refusedPercent: fc.constantFrom(0, 3, 30, 70, 97, 100),
		brokenPercent: fc.constantFrom(0, 10),
		latencyMs: fc.integer({ min: 0, max: 400 }),
		count: fc.integer({ min: 1, max: 150 }),
		limits: fc.integer({ min: 1, max: 3 }),
		maxWaitMs: fc.array(fc.constantFrom(0, 500, 5_000, 60_000, 300_000), {
			minLength: 1,
			maxLength: 3,
		}),
		maxInFlight: fc.constantFrom(1, 7, MAX_IN_FLIGHT_PER_RUN),
		seed: fc.integer(),
		/** Number of runs in the process. Only the first run is stopped early. */
		runs: fc.integer({ min: 1, max: 4 }),
		stopAfterMs: fc.option(fc.integer({ min: 0, max: 20_000 })),
	});

	test('each request ends, first attempts are in order, and the number in flight is limited', async () => {
		await fc.assert(
			fc.asyncProperty(behavior, async (service) => {
				const clock = new VirtualClock(START);
				const random = seededRandom(service.seed);
				const { maxInFlight, runs, stopAfterMs } = service;
				const count = Math.ceil(service.count / runs);
				const limits = new SharedRateLimits(clock);
				const limiters = Array.from({ length: runs }, () => {
					const limiter = new RequestLimiter(undefined, limits);
					return Object.assign(limiter, { freePlaces: maxInFlight });
				});
				const broken = new Error('The connection was cut');
				let attempts = 0;
				let sentAfterStop = 0;
				const requestsOf = async (limiter: RequestLimiter) => {
					const first: Record<string, number[]> = {};
					let inFlight = 0;
					const attempt = async (limit: string, order: number) => {
						if (limiter.stopped) sentAfterStop++;
						const known = (first[limit] ??= []);
						if (!known.includes(order)) known.push(order);
						expect(++inFlight).toBeLessThanOrEqual(maxInFlight);
						await clock.sleep(service.latencyMs * random());
						inFlight--;
						const current = service.headers[attempts++ % service.headers.length];
						if (random() * 100 < service.brokenPercent) throw broken;
						const isRefused = random() * 100 < service.refusedPercent;
						return { statusCode: isRefused ? 429 : 200, headers: current };
					};
					const results = await Promise.allSettled(
						Array.from({ length: count }, (_, order) => {
							const maxWaitMs = service.maxWaitMs[order % service.maxWaitMs.length];
							const limit = `limit ${order % service.limits}`;
							return send(limiter, () => attempt(limit, order), {
								limit,
								order,
								maxWaitMs,
							});
						}),
					);
					for (const known of Object.values(first)) {
						expect(known).toEqual([...known].sort((a, b) => a - b));
					}
					return results;
				};
				const settled = Promise.all(limiters.map(requestsOf));
				if (stopAfterMs !== null) clock.at(START + stopAfterMs, limiters[0].stop);
				// A request succeeds or gives up within twice its maximum wait
				const results = await clock.runUntil(settled, (runs * count + 1) * 10 * MINUTE);
				for (const [run, result] of results.entries()) {
					for (const each of result) {
						if (each.status === 'fulfilled') expect(each.value.statusCode).toBe(200);
						else if (each.reason instanceof WaitTooLongError) {
							expect(each.reason.disallowedWaitMs).toBeGreaterThan(0);
						} else if (each.reason !== broken) {
							expect(each.reason).toBeInstanceOf(StoppedError);
							expect([run, stopAfterMs === null]).toEqual([0, false]);
						}
					}
				}
				expect(sentAfterStop).toBe(0);
				for (const limiter of limiters) limiter.stop();
				const longest = Math.max(0, ...clock.pending.map((at) => at - clock.now()));
				expect(longest).toBeLessThanOrEqual(stopAfterMs === null ? 100 : 20_000);
			}),
			{ numRuns: 150 },
		);
	});
});
