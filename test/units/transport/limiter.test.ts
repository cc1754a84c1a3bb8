import { getEventListeners } from 'node:events';
import { StoppedError } from '../../../nodes/CometChat/transport/failure';
import {
	WaitTooLongError,
	RequestLimiter,
	SharedRateLimits,
} from '../../../nodes/CometChat/transport/limiter';
import type { ResponseWithRateLimitHeaders } from '../../../nodes/CometChat/transport/rateLimitHeaders';
import {
	CUT,
	getError,
	MINUTE,
	OK,
	refuse,
	refuseFor,
	repeat,
	setUp,
	START,
	summarize,
	type TestRequest,
} from './limiter.harness';

// Replaces the backoff's random jitter with its average
beforeEach(() => void jest.spyOn(Math, 'random').mockReturnValue(0.5));

test('sends requests in order, and returns each response to its request', async () => {
	const { names, sendAll } = setUp({ maxInFlight: 1 });
	const responses = ['a', 'b', 'c', 'd'].map((name) => ({ ...OK, name }));
	const results = await sendAll(
		...responses.map((each, i): TestRequest => [each.name, [each], { order: i % 2 }]),
	);
	expect(names()).toBe('acbd');
	expect(results).toEqual(responses.map((value) => ({ status: 'fulfilled', value })));
});

test('a run has at most 60 requests in flight, even if its limits allow more', async () => {
	const { times, sendAll } = setUp();
	await sendAll(...repeat(150, ['a', [OK]]));
	expect([0, 10, 20].map((ms) => times().filter((at) => at === ms).length)).toEqual([60, 60, 30]);
});

describe('After a refusal', () => {
	test('the refused request is sent first, at the time that the service requires', async () => {
		const { sent, sendAll } = setUp({ maxInFlight: 1 });
		await sendAll(['a', [refuseFor(7), OK]], ['b', [OK]]);
		expect(sent).toEqual([
			{ name: 'a', at: 0 },
			{ name: 'a', at: 7_010 },
			{ name: 'b', at: 7_020 },
		]);
	});

	test('a single probe precedes the other requests', async () => {
		const { times, sendAll } = setUp();
		await sendAll(['a', [refuseFor(1), refuseFor(1), OK]], ...repeat(3, ['b', [refuseFor(1), OK]]));
		expect(times().slice(4, 7)).toEqual([1_010, 2_020, 2_030]);
	});

	test('the number of requests in flight rises slowly after the probe', async () => {
		const { clock, sendAll } = setUp({ maxInFlight: 10 });
		const counts: number[] = [];
		let inFlight = 0;
		let sent = 0;
		const respond = async () => {
			const isRefused = ++sent > 20 && sent <= 30;
			inFlight++;
			if (sent > 31) counts.push(inFlight);
			await clock.sleep(10);
			inFlight--;
			return isRefused ? refuseFor(1) : OK;
		};
		await sendAll(...repeat(60, ['a', respond]));
		expect(sent).toBe(70);
		expect(counts.slice(0, 10)).toEqual([1, 2, 2, 3, 3, 4, 4, 5, 5, 6]);
	});

	test('another probe follows a probe without a response', async () => {
		const { names, sendAll } = setUp();
		const results = await sendAll(['a', [refuse(), CUT]], ['b', [refuse(), OK]]);
		expect(summarize(results)).toBe('✗✓');
		expect(names()).toBe('abab');
	});

	test('a slow response ends the pause even after other probes have started', async () => {
		const { clock, times, start, settle } = setUp();
		const sendSlowly = (order: number) => {
			let attempts = 0;
			const respond = async () => {
				await clock.sleep(attempts === 0 ? 10 : 2_500);
				return attempts++ === 0 ? refuseFor(1) : OK;
			};
			return start(['a', respond, { order }]);
		};
		await settle(...[0, 1, 2, 3, 4, 5].map(sendSlowly));
		// The first probe's response arrives at 3,510. Probes are a second apart, later requests aren't.
		expect(times().slice(6)).toEqual([1_010, 2_010, 3_010, 4_010, 4_510, 5_510]);
	});

	test('requests that take minutes, such as uploads, hold up another one for at most a second', async () => {
		const { clock, start, settle, sent } = setUp();
		const startUpload = () => {
			let attempts = 0;
			return start([
				'upload',
				async () => {
					await clock.sleep(attempts === 0 ? 10 : 14 * MINUTE);
					return attempts++ === 0 ? refuseFor(1) : OK;
				},
			]);
		};
		const texts = new Promise((resolve) => {
			const startText = () => start(['text', [OK]]);
			clock.at(START + 5_000, () => resolve(Promise.all([startText(), startText()])));
		});
		await settle<unknown>(
			start(['first', [refuseFor(1), OK]]),
			startUpload(),
			startUpload(),
			texts,
		);
		const times = sent.filter(({ name }) => name === 'text').map(({ at }) => at);
		expect(times).toHaveLength(2);
		expect(Math.max(...times)).toBeLessThanOrEqual(6_000);
	});

	test("a gateway's error is returned, but doesn't end the pause", async () => {
		const { names, sendAll } = setUp();
		const gateway = { statusCode: 500, headers: {} };
		const [first] = await sendAll(
			['a', [refuse(), gateway]],
			['b', [refuse(), refuse(), OK]],
			['c', [refuse(), OK]],
		);
		expect(first).toEqual({ status: 'fulfilled', value: gateway });
		expect(names()).toBe('abcabbc');
	});

	test('the longest Retry-After counts, and overrides the end of the window', async () => {
		const { times, sendAll } = setUp();
		const both = { 'retry-after': '7', 'x-ratelimit-reset': String(START / 1000 + 20) };
		await sendAll(['a', [refuse(both), OK]], ['b', [refuseFor(2), OK]]);
		expect(times()).toEqual([0, 0, 7_010, 7_020]);
	});

	test("the wait in a response's text counts if Retry-After is missing", async () => {
		const { times, sendAll } = setUp();
		const reset = { 'x-ratelimit-reset': String(START / 1000 + 20) };
		const text = '{"error":{"message":"Too many requests. Please retry after 8 seconds."}}';
		await sendAll(['a', [{ ...refuse(reset), text }, { ...refuseFor(3), text }, OK]]);
		expect(times()).toEqual([0, 8_010, 11_020]);
	});

	test("a response to an earlier request doesn't end the pause", async () => {
		const { clock, times, sendAll } = setUp({ maxInFlight: 2 });
		const respondSlowly = async () => {
			await clock.sleep(500);
			return OK;
		};
		await sendAll(['a', [refuseFor(1), OK]], ['slow', respondSlowly], ['b', [OK]]);
		expect(times()).toEqual([0, 0, 1_010, 1_020]);
	});

	test.each([
		['no headers', {}],
		['a reset in the past', { 'x-rate-limit-reset': '1700000000' }],
	])('the backoff grows up to half a minute with %s', async (_name, headers) => {
		const { times, sendAll } = setUp();
		await sendAll(['a', [...Array.from({ length: 8 }, () => refuse(headers)), OK]]);
		const waits = times().map((at, i, all) => at - (all[i - 1] ?? 0) - 10);
		expect(waits.slice(1)).toEqual([375, 750, 1_500, 3_000, 6_000, 12_000, 22_500, 22_500]);
	});
});

describe('A request gives up', () => {
	test('at the first refusal that requires a longer wait than allowed', async () => {
		const { names, sendAll } = setUp();
		const results = await sendAll(
			['a', [refuseFor(301)]],
			['b', [refuseFor(301), OK], { maxWaitMs: 301_000 }],
		);
		expect(getError(results[0])).toBeInstanceOf(WaitTooLongError);
		expect(getError(results[0])).toMatchObject({ disallowedWaitMs: 301_000 });
		expect(summarize(results)).toBe('⏱✓');
		expect(names()).toBe('abb');
	});

	test('if no request succeeds within its maximum wait', async () => {
		const { times, sendAll } = setUp();
		const [result] = await sendAll(['a', [refuseFor(1)], { maxWaitMs: 10_000 }]);
		expect(times()).toEqual(Array.from({ length: 11 }, (_, i) => i * 1_010));
		expect(getError(result)).toMatchObject({ disallowedWaitMs: 1_000 });
	});

	test('never while other requests succeed, however long the queue is', async () => {
		const { clock, sendAll } = setUp();
		let window = 0;
		const respond = async () => {
			await clock.sleep(10);
			const current = Math.floor(clock.now() / 1_000);
			if (current === window) return refuseFor(1);
			window = current;
			return OK;
		};
		const results = await sendAll(...repeat(60, ['a', respond, { maxWaitMs: 2_500 }]));
		expect(summarize(results)).toBe('✓'.repeat(60));
	});
});

describe('The number of remaining requests', () => {
	/**
	 * Creates a successful response that allows `remaining` more requests until `resetsAt`, in seconds
	 * since the start of the test.
	 */
	const leave = (remaining: number, resetsAt?: number) => ({
		statusCode: 200,
		headers: {
			'x-ratelimit-remaining': String(remaining),
			'x-ratelimit-reset': resetsAt === undefined ? undefined : String(START / 1000 + resetsAt),
		},
	});

	test('is not exceeded, and a probe follows the end of the window', async () => {
		const { clock, sendAll } = setUp();
		const passed: number[] = [];
		let refused = 0;
		const respond = async () => {
			await clock.sleep(10);
			const at = clock.now() - START;
			const used = passed.filter((other) => other >= at - (at % MINUTE)).length;
			if (used === 80) refused++;
			else passed.push(at);
			return leave(80 - used - 1, (Math.floor(at / MINUTE) + 1) * 60);
		};
		await sendAll(...repeat(200, ['a', respond]));
		expect(refused).toBe(0);
		expect(passed.slice(78, 84)).toEqual([20, 20, 60_060, 60_070, 60_070, 60_070]);
		expect(passed[199]).toBe(120_070);
	});

	test('is the lowest number within a window, because responses arrive out of order', async () => {
		const { times, sendAll } = setUp({ maxInFlight: 2 });
		await sendAll(
			['a', [leave(1, 30)]],
			['a', [leave(2, 30)]],
			...repeat(3, ['b', [leave(1, 30)]]),
		);
		expect(times()).toEqual([0, 0, 10, 20, 30]);
	});

	test('no longer counts after the window, even if requests got no response', async () => {
		const { limiter, clock, sent, start, settle, sendAll } = setUp();
		await sendAll(['a', [leave(2, 30)]]);
		const hang = async () => {
			await clock.sleep(600_000);
			return OK;
		};
		const hanging = repeat(2, ['hanging', hang, { order: -1 }]).map(start);
		await sendAll(...repeat(3, ['b', [leave(3, 90)]]));
		const times = sent.filter(({ name }) => name === 'b').map(({ at }) => at);
		expect(times).toEqual([30_050, 30_050, 30_050]);
		limiter.stop();
		await settle(...hanging);
	});

	test('of the next window counts, even if it is higher', async () => {
		const { clock, times, settle, sendAll } = setUp();
		await sendAll(['a', [leave(1, 30)]]);
		await settle(clock.sleep(40_000));
		await sendAll(['b', [leave(2, 90)]]);
		await sendAll(...repeat(3, ['c', [OK]]));
		expect(times()).toEqual([0, 40_010, 40_020, 40_020, 40_030]);
	});

	test('no longer counts after a refusal', async () => {
		const { times, sendAll } = setUp();
		await sendAll(['a', [leave(1, 30)]]);
		await sendAll(['b', [refuseFor(1), OK]]);
		await sendAll(...repeat(3, ['c', [OK]]));
		expect(times()).toEqual([0, 10, 1_020, 1_030, 1_030, 1_040]);
	});

	test('counts for a second if the window has no known end', async () => {
		const { times, sendAll } = setUp();
		await sendAll(['a', [leave(0)]]);
		await sendAll(...repeat(2, ['b', [OK]]));
		expect(times()).toEqual([0, 1_010, 1_020]);
	});

	test("fails requests that can't wait for the end of the window", async () => {
		const { names, sendAll } = setUp({ maxInFlight: 1 });
		const results = await sendAll(
			['a', [leave(0, 30)], { maxWaitMs: 10_000 }],
			['b', [OK], { maxWaitMs: 10_000 }],
			['c', [OK], { maxWaitMs: 31_000 }],
		);
		expect(summarize(results)).toBe('✓⏱✓');
		expect(names()).toBe('ac');
	});
});

describe('Several limits in one run', () => {
	test("don't delay each other, even during a pause", async () => {
		const { names, times, sendAll } = setUp({ maxInFlight: 2 });
		const results = await sendAll(
			...repeat(4, ['a', [refuseFor(600), OK], { limit: 'send' }]),
			...repeat(4, ['b', [OK], { limit: 'other' }]),
		);
		expect(names()).toBe('aabbbb');
		expect(times()).toEqual([0, 0, 10, 10, 20, 20]);
		expect(summarize(results)).toBe('⏱⏱⏱⏱✓✓✓✓');
	});

	test('share free places in the order of their requests', async () => {
		const { names, sendAll } = setUp({ maxInFlight: 1 });
		await sendAll(
			...['a', 'b', 'c'].flatMap((name, limit) =>
				[0, 1, 2].map((i): TestRequest => [name, [OK], { limit: name, order: 3 * i + limit }]),
			),
		);
		expect(names()).toBe('abcabcabc');
	});

	test('continue after a pause even if all places are taken', async () => {
		const { sent, sendAll } = setUp({ maxInFlight: 1 });
		await sendAll(
			['a', [refuseFor(1), OK], { limit: 'one' }],
			...repeat(30, ['b', [OK], { limit: 'two' }]),
		);
		expect(sent.filter(({ name }) => name === 'a').map(({ at }) => at)).toEqual([0, 1_010]);
		expect(sent.at(-2)).toEqual({ name: 'b', at: 300 });
	});
});

describe('Runs that start at one limit', () => {
	/** Starts runs with 100 requests each. Each request ends with `end` after 10 ms. */
	const startRuns = (count: number, end: () => ResponseWithRateLimitHeaders) => {
		const { clock, settle } = setUp();
		const shared = new SharedRateLimits(clock);
		/** Times of the requests sent by each run, in milliseconds since the test started */
		const sent = Array.from({ length: count }, (): number[] => []);
		const sending = sent.flatMap((times) => {
			const limiter = new RequestLimiter(undefined, shared);
			const attempt = async () => {
				times.push(clock.now() - START);
				await clock.sleep(10);
				return end();
			};
			const startRequest = async (_: unknown, order: number) =>
				await limiter.send('app', order, MINUTE, attempt);
			return Array.from({ length: 100 }, startRequest);
		});
		const countAt = (ms: number) => sent.map((times) => times.filter((at) => at === ms).length);
		return { countAt, sum: (ms: number) => countAt(ms).reduce((a, b) => a + b), settle, sending };
	};

	test('send 60 requests together and in turns, until CometChat has answered', async () => {
		const { countAt, sum, settle, sending } = startRuns(40, () => OK);
		await settle(...sending);
		expect(countAt(0)).toEqual(Array.from({ length: 40 }, (_, run) => (run < 20 ? 2 : 1)));
		expect([sum(10), sum(20), sum(30)]).toEqual([120, 240, 480]);
	});

	test("aren't held up by requests without a response", async () => {
		const { sum, settle, sending } = startRuns(40, () => {
			throw CUT;
		});
		await settle(...sending);
		expect([sum(0), sum(10), sum(20)]).toEqual([60, 120, 240]);
	});
});

test('60 requests follow a window that ended with requests left', async () => {
	const { clock, settle } = setUp();
	const shared = new SharedRateLimits(clock);
	const headers = { 'x-ratelimit-remaining': '9', 'x-ratelimit-reset': String(START / 1000 + 1) };
	let sent = 0;
	const attempt = async () => {
		sent++;
		await clock.sleep(10);
		return { ...OK, headers };
	};
	const startEach = (count: number) =>
		Array.from(
			{ length: count },
			async () => await new RequestLimiter(undefined, shared).send('app', 0, MINUTE, attempt),
		);
	await settle<unknown>(...startEach(1), clock.sleep(2_000));
	const later = startEach(100);
	await settle(clock.sleep(5));
	expect(sent).toBe(61);
	await settle(...later);
});

test('a wait ends after its duration, or when the run stops', async () => {
	const { limiter, clock, settle } = setUp();
	await settle(limiter.sleepUnlessStopped(2_500));
	expect(clock.now() - START).toBe(2_500);
	clock.at(START + 3_000, limiter.stop);
	const [result] = await settle(limiter.sleepUnlessStopped(60_000));
	expect(getError(result)).toBeInstanceOf(StoppedError);
	expect(clock.now() - START).toBe(3_000);
});

describe('A stopped run', () => {
	test('finishes requests in flight, and rejects waiting and later requests', async () => {
		const { limiter, clock, names, sendAll } = setUp({ maxInFlight: 1 });
		clock.at(START + 5, limiter.stop);
		const results = await sendAll(['a', [OK]], ['b', [OK]]);
		results.push(...(await sendAll(['c', [OK]])));
		expect(summarize(results)).toBe('✓✗✗');
		for (const result of results.slice(1)) expect(getError(result)).toBeInstanceOf(StoppedError);
		expect(names()).toBe('a');
		expect(limiter.stopped).toBe(true);
	});

	test.each([
		['during the request', 5, refuse(), []],
		['during the pause', 550, refuseFor(100), [610]],
	])('sends no retry, and leaves no timer: %s', async (_, stopAfterMs, response, timers) => {
		const { limiter, clock, names, settle, sendAll } = setUp();
		clock.at(START + stopAfterMs, limiter.stop);
		const [result] = await sendAll(['a', [response]]);
		expect(getError(result)).toBeInstanceOf(StoppedError);
		expect(clock.pending.map((at) => at - START)).toEqual(timers);
		await settle(clock.sleep(200_000));
		expect(names()).toBe('a');
		expect(clock.pending).toEqual([]);
	});

	test('is the result of canceling the execution, even before the run', async () => {
		const user = new AbortController();
		const { clock, sendAll } = setUp({ signal: user.signal });
		clock.at(START + 300, () => user.abort());
		const [result] = await sendAll(['a', [refuseFor(9)]]);
		expect(getError(result)).toBeInstanceOf(StoppedError);
		expect(clock.now() - START).toBe(300);
		expect(setUp({ signal: user.signal }).limiter.stopped).toBe(true);
	});

	test("removes the listener from the execution's signal", () => {
		const user = new AbortController();
		const { limiter } = setUp({ signal: user.signal });
		expect(getEventListeners(user.signal, 'abort')).toHaveLength(1);
		limiter.stop();
		expect(getEventListeners(user.signal, 'abort')).toEqual([]);
	});
});
