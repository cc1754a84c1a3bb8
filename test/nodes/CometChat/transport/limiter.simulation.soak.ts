import fc from 'fast-check';
import {
	MAX_IN_FLIGHT,
	RateLimitError,
	RequestLimiter,
	SharedLimits,
	StoppedError,
} from '../../../../nodes/CometChat/transport/limiter';
import {
	send,
	simulate,
	VirtualClock,
	type Load,
	type Outcome,
	type Simulation,
} from './limiter.simulation';
import { seededRandom } from '../../../../tools/sandbox/faults';

const MINUTE = 60_000;
const START = Date.UTC(2026, 10, 20, 10, 0, 0);
const SEEDS = 8;

const average = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

interface Measured {
	/** As a multiple of the least, over all tries */
	time: number;
	/** For each request that passed */
	refused: number;
}

/** The average over many starts within a window. Every request has to pass. */
async function measure(
	simulation: Omit<Simulation, 'seed'>,
	limit = 'standard',
): Promise<Measured> {
	const outcomes: Outcome[] = [];
	for (let seed = 1; seed <= SEEDS; seed++) {
		outcomes.push((await simulate({ ...simulation, seed }))[limit]);
	}
	expect(outcomes.map(({ failed }) => failed)).toEqual(outcomes.map(() => 0));
	return {
		time: average(outcomes.map(({ time }) => time)),
		refused: average(outcomes.map(({ refused, passed }) => refused / passed)),
	};
}

const standard = (count: number): Load => ({ limits: ['standard'], count });

const windows = { standard: { requests: 500, ms: MINUTE } };

describe.each([2, 80])('with responses after %i ms', (latencyMs) => {
	test.each([
		['all', 1.1, 0.01],
		['resetWhenRefused', 1.1, 0.01],
		['retryAfter', 1.15, 0.08],
		['nothing', 1.6, 0.1],
	] as const)('2,000 at 500 a minute pass, told %s', async (told, time, refused) => {
		const measured = await measure({ windows, runs: [[standard(2_000)]], told, latencyMs });
		expect(measured.time).toBeLessThanOrEqual(time);
		expect(measured.refused).toBeLessThanOrEqual(refused);
	});

	test.each(['all', 'retryAfter', 'nothing'] as const)(
		'three runs of a process share a limit, told %s',
		async (told) => {
			const runs = [1, 2, 3].map(() => [standard(500)]);
			const measured = await measure({ windows, runs, told, latencyMs });
			expect(measured.time).toBeLessThanOrEqual(told === 'nothing' ? 1.6 : 1.15);
		},
	);

	test.each(['all', 'retryAfter', 'nothing'] as const)(
		'three processes share a limit, told %s',
		async (told) => {
			const runs = [1, 2, 3].map(() => [standard(500)]);
			const measured = await measure({ windows, runs, told, latencyMs, together: false });
			expect(measured.time).toBeLessThanOrEqual(told === 'nothing' ? 1.6 : 1.25);
		},
	);
});

test.each([-5_000, -300, 300, 5_000])('a clock that is %i ms off costs little', async (skewMs) => {
	const simulation = {
		windows,
		runs: [[standard(2_000)]],
		told: 'all' as const,
		latencyMs: 80,
		skewMs,
	};
	const { time, refused } = await measure(simulation);
	expect(time).toBeLessThanOrEqual(1.15);
	expect(refused).toBeLessThanOrEqual(0.08);
});

describe('whatever the service does', () => {
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
	const behaviour = fc.record({
		/** One after the other, over and over */
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
		maxInFlight: fc.constantFrom(1, 7, MAX_IN_FLIGHT),
		seed: fc.integer(),
		/** In one process; only the first is stopped */
		runs: fc.integer({ min: 1, max: 4 }),
		stopAfterMs: fc.option(fc.integer({ min: 0, max: 20_000 })),
	});

	test('every request ends, first attempts are in order, and no more are in flight than allowed', async () => {
		await fc.assert(
			fc.asyncProperty(behaviour, async (service) => {
				const clock = new VirtualClock(START);
				const random = seededRandom(service.seed);
				const { maxInFlight, runs, stopAfterMs } = service;
				const count = Math.ceil(service.count / runs);
				const limits = new SharedLimits(clock);
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
								limits: [limit],
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
				// Within twice the longest wait a request ends: it passes, or it gives up
				const results = await clock.runUntil(settled, (runs * count + 1) * 10 * MINUTE);
				for (const [run, result] of results.entries()) {
					for (const one of result) {
						if (one.status === 'fulfilled') expect(one.value.statusCode).toBe(200);
						else if (one.reason instanceof RateLimitError) {
							expect(one.reason.requiredMs).toBeGreaterThan(0);
						} else if (one.reason !== broken) {
							expect(one.reason).toBeInstanceOf(StoppedError);
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
