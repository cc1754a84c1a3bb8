import { getEventListeners } from 'node:events';
import fc from 'fast-check';
import {
	MAX_IN_FLIGHT,
	RateLimits,
	RequestLimiter,
	StoppedError,
} from '../../../../nodes/CometChat/transport/limiter';
import type { LimitedResponse } from '../../../../nodes/CometChat/transport/rateLimit';
import { RateLimitError } from '../../../../nodes/CometChat/transport/rateLimit';
import { seededRandom, turn, VirtualClock } from './limiter.simulation';

const START = Date.UTC(2026, 10, 20, 10, 0, 0);
const MINUTES = 60_000;

const OK: LimitedResponse = { statusCode: 200, headers: {} };

function refusal(headers: Record<string, unknown> = {}): LimitedResponse {
	return { statusCode: 429, headers };
}

/** A limiter that takes no real time, and a service that is 10 ms away. */
function setUp(options: { signal?: AbortSignal; maxInFlight?: number } = {}) {
	const clock = new VirtualClock(START);
	const limits = new RateLimits(clock, seededRandom(1));
	const newLimiter = () => new RequestLimiter({ ...options, limits });
	const limiter = newLimiter();
	const sent: Array<{ name: string; at: number }> = [];
	return {
		clock,
		limiter,
		/** Another run in the same process */
		newLimiter,
		sent,
		names: () => sent.map(({ name }) => name),
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
		settle: async <T>(...promises: Array<Promise<T>>) => {
			const settled = Promise.allSettled(promises);
			await clock.runUntil(settled, 24 * 60 * MINUTES);
			return await settled;
		},
	};
}

const patient = (order = 0) => ({ app: 'app', order, maxWaitMs: 5 * MINUTES });

function errorOf(result: PromiseSettledResult<unknown>): unknown {
	return result.status === 'rejected' ? result.reason : undefined;
}

describe('requests in flight', () => {
	test('soon are as many as n8n should open connections for, and never more', async () => {
		const { limiter, clock, settle } = setUp();
		let inFlight = 0;
		let most = 0;
		const startedAt: number[] = [];
		const attempt = async () => {
			startedAt.push(clock.now() - START);
			most = Math.max(most, ++inFlight);
			await clock.sleep(20);
			inFlight--;
			return OK;
		};
		await settle(...Array.from({ length: 500 }, (_, i) => limiter.send(attempt, patient(i))));
		expect(most).toBe(MAX_IN_FLIGHT);
		expect(startedAt.filter((at) => at === 0)).toHaveLength(16);
		expect(startedAt.filter((at) => at === 20)).toHaveLength(32);
		expect(startedAt.filter((at) => at === 40)).toHaveLength(60);
	});

	test('start in order, and each ends with its own response', async () => {
		const { limiter, attempt, names, settle } = setUp({ maxInFlight: 2 });
		const responses = ['a', 'b', 'c', 'd'].map((name) => ({ ...OK, name }));
		const results = await settle(
			...responses.map((response, i) => limiter.send(attempt(response.name, response), patient(i))),
		);
		expect(names()).toEqual(['a', 'b', 'c', 'd']);
		expect(results).toEqual(responses.map((value) => ({ status: 'fulfilled', value })));
	});

	test('leave their place to the next one when they get no response', async () => {
		const { limiter, attempt, settle } = setUp({ maxInFlight: 1 });
		const broken = new Error('The connection was cut');
		const [first, second, third] = await settle(
			limiter.send(attempt('a', broken), patient(0)),
			limiter.send(() => {
				throw broken;
			}, patient(1)),
			limiter.send(attempt('b', OK), patient(2)),
		);
		expect([errorOf(first), errorOf(second)]).toEqual([broken, broken]);
		expect(third.status).toBe('fulfilled');
	});
});

describe('after a refusal', () => {
	test('nobody sends before the service says so, then the refused one goes first', async () => {
		const { limiter, attempt, sent, settle } = setUp({ maxInFlight: 1 });
		await settle(
			limiter.send(attempt('a', refusal({ 'retry-after': '7' }), OK), patient(0)),
			limiter.send(attempt('b', OK), patient(1)),
		);
		expect(sent).toEqual([
			{ name: 'a', at: 0 },
			{ name: 'a', at: 7_010 },
			{ name: 'b', at: 7_020 },
		]);
	});

	test('one request goes to see, and the others follow when it has passed', async () => {
		const { limiter, attempt, times, settle } = setUp();
		const again = refusal({ 'retry-after': '1' });
		await settle(
			limiter.send(attempt('a', again, again, OK), patient(0)),
			...[1, 2, 3].map((i) => limiter.send(attempt('b', again, OK), patient(i))),
		);
		expect(times().filter((at) => at > 10 && at < 2_020)).toEqual([1_010]);
	});

	test('another one goes to see when that one gets no response', async () => {
		const { limiter, attempt, names, settle } = setUp();
		const [first, second] = await settle(
			limiter.send(attempt('a', refusal(), new Error('The connection was cut')), patient(0)),
			limiter.send(attempt('b', refusal(), OK), patient(1)),
		);
		expect([first.status, second.status]).toEqual(['rejected', 'fulfilled']);
		expect(names()).toEqual(['a', 'b', 'a', 'b']);
	});

	test('what a gateway says does not end the pause, and is the response', async () => {
		const { limiter, attempt, names, settle } = setUp();
		const gateway = { statusCode: 503, headers: {} };
		const [first] = await settle(
			limiter.send(attempt('a', refusal(), gateway), patient(0)),
			limiter.send(attempt('b', refusal(), refusal(), OK), patient(1)),
			limiter.send(attempt('c', refusal(), OK), patient(2)),
		);
		expect(first).toEqual({ status: 'fulfilled', value: gateway });
		expect(names().slice(3)).toEqual(['a', 'b', 'b', 'c']);
	});

	test.each([
		['nothing', {}],
		['0', { 'retry-after': '0' }],
		['a negative number', { 'retry-after': '-3' }],
		['words', { 'retry-after': 'a moment' }],
		['a date that has passed', { 'retry-after': 'Fri, 20 Nov 2026 09:00:00 GMT' }],
		['a reset that has passed', { 'x-rate-limit-reset': '1700000000' }],
	])('there is a backoff that grows when the service says %s', async (_name, headers) => {
		const { limiter, attempt, times, settle } = setUp();
		const again = Array.from({ length: 12 }, () => refusal(headers));
		await settle(limiter.send(attempt('a', ...again, OK), patient()));
		const waits = times().map((at, i, all) => (i === 0 ? 0 : at - all[i - 1] - 10));
		expect(waits[1]).toBeGreaterThanOrEqual(250);
		expect(waits[1]).toBeLessThanOrEqual(500);
		expect(Math.min(...waits.slice(1))).toBeGreaterThanOrEqual(250);
		expect(waits[12]).toBeGreaterThan(8_000);
		expect(Math.max(...waits)).toBeLessThanOrEqual(30_000);
	});

	test('the end of the window is waited for when there is no Retry-After', async () => {
		const { limiter, attempt, times, settle } = setUp();
		const reset = { 'x-ratelimit-reset': String(START / 1000 + 20) };
		await settle(limiter.send(attempt('a', refusal(reset), OK), patient()));
		expect(times()).toEqual([0, 20_000]);
	});
});

describe('giving up', () => {
	test('comes at the first refusal that asks for more than the request may wait', async () => {
		const { limiter, attempt, names, settle } = setUp();
		const response = refusal({ 'retry-after': '301' });
		const results = await settle(
			limiter.send(attempt('a', response), patient(0)),
			limiter.send(attempt('b', response), { ...patient(1), maxWaitMs: 301_000 }),
		);
		expect(errorOf(results[0])).toBeInstanceOf(RateLimitError);
		expect(errorOf(results[0])).toMatchObject({ response, attempts: 1, waitedMs: 0 });
		expect(errorOf(results[0])).toHaveProperty('requiredMs', 301_000);
		expect(names()).toEqual(['a', 'b', 'b']);
	});

	test('does not come when the service asks for exactly as long as the request may wait', async () => {
		const { limiter, attempt, settle } = setUp();
		const responses = [refusal({ 'retry-after': '300' }), OK];
		const [result] = await settle(limiter.send(attempt('a', ...responses), patient()));
		expect(result.status).toBe('fulfilled');
	});

	test('comes at once for a request that may not wait at all, and the others go on', async () => {
		const { limiter, attempt, names, settle } = setUp({ maxInFlight: 1 });
		const [first, second] = await settle(
			limiter.send(attempt('a', refusal()), { ...patient(), maxWaitMs: 0 }),
			limiter.send(attempt('b', OK), patient(1)),
		);
		expect(errorOf(first)).toMatchObject({ attempts: 1, waitedMs: 0 });
		expect(second.status).toBe('fulfilled');
		expect(names()).toEqual(['a', 'b']);
	});

	test('takes along those that wait and may not wait so long either, without sending them', async () => {
		const { limiter, attempt, names, settle } = setUp({ maxInFlight: 1 });
		const results = await settle(
			limiter.send(attempt('a', refusal({ 'retry-after': '9000' })), patient(0)),
			limiter.send(attempt('b', OK), patient(1)),
			limiter.send(attempt('c', OK), { ...patient(2), maxWaitMs: 9_000_000 }),
		);
		expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
		expect(errorOf(results[1])).toMatchObject({ response: undefined, attempts: 0, waitedMs: 10 });
		expect(names()).toEqual(['a', 'c']);
	});

	test('comes for a request that is new during a pause that is too long', async () => {
		const { limiter, attempt, settle } = setUp();
		const long = { ...patient(), maxWaitMs: 9_000_000 };
		const waiting = limiter.send(attempt('a', refusal({ 'retry-after': '9000' }), OK), long);
		await settle(limiter.wait(1_000));
		const [late, first] = await settle(limiter.send(attempt('b', OK), patient(1)), waiting);
		expect(errorOf(late)).toMatchObject({ attempts: 0, waitedMs: 0, requiredMs: 8_999_010 });
		expect(first.status).toBe('fulfilled');
	});

	test('comes when nothing has passed for as long as the request may wait', async () => {
		const { limiter, attempt, times, settle } = setUp();
		const [result] = await settle(
			limiter.send(attempt('a', refusal({ 'retry-after': '1' })), {
				...patient(),
				maxWaitMs: 60_000,
			}),
		);
		expect(errorOf(result)).toMatchObject({ attempts: times().length, requiredMs: 1_000 });
		expect(times().at(-1)).toBeGreaterThanOrEqual(60_000);
		expect(times().at(-1)).toBeLessThan(62_000);
		expect(errorOf(result)).toHaveProperty('waitedMs', (times().length - 1) * 1_000);
	});

	test('does not come while others pass, however long the queue', async () => {
		const { limiter, clock, settle } = setUp();
		let window = 0;
		const attempt = async () => {
			await clock.sleep(10);
			const current = Math.floor(clock.now() / 1_000);
			if (current === window) return refusal({ 'retry-after': '1' });
			window = current;
			return OK;
		};
		const results = await settle(
			...Array.from({ length: 60 }, (_, i) =>
				limiter.send(attempt, { ...patient(i), maxWaitMs: 2_500 }),
			),
		);
		expect(results.filter(({ status }) => status === 'rejected')).toEqual([]);
	});

	test('is not hastened by a reset that lies years ahead', async () => {
		const { limiter, attempt, settle } = setUp();
		const again = refusal({ 'x-rate-limit-reset': String(START / 1000 + 1e8) });
		const [result] = await settle(
			limiter.send(attempt('a', again, again, OK), { ...patient(), maxWaitMs: 10_000 }),
		);
		expect(result.status).toBe('fulfilled');
	});
});

describe('what the headers say is left', () => {
	/** As many as are left in this second pass; says so. */
	function counted(clock: VirtualClock, limit: number, latencyMs = 10) {
		let second = 0;
		let used = 0;
		const outcome = { refused: 0, passed: 0 };
		const attempt = async (): Promise<LimitedResponse> => {
			await clock.sleep(latencyMs);
			const current = Math.floor(clock.now() / 1_000);
			if (current !== second) used = 0;
			second = current;
			const isRefused = used >= limit;
			if (!isRefused) used++;
			outcome[isRefused ? 'refused' : 'passed']++;
			return {
				statusCode: isRefused ? 429 : 200,
				headers: {
					'x-rate-limit-remaining': String(limit - used),
					'x-rate-limit-reset': String(second + 1),
				},
			};
		};
		return { attempt, outcome };
	}

	test('is not exceeded', async () => {
		const { limiter, clock, settle } = setUp();
		const { attempt, outcome } = counted(clock, 20);
		await settle(...Array.from({ length: 200 }, (_, i) => limiter.send(attempt, patient(i))));
		expect(outcome).toEqual({ refused: 0, passed: 200 });
		expect(clock.now() - START).toBeLessThan(9_200);
	});

	test.each([
		['nothing, for ever', { 'x-rate-limit-remaining': '0' }],
		[
			'nothing, until next year',
			{ 'x-rate-limit-remaining': '0', 'x-rate-limit-reset': String(START / 1000 + 3e7) },
		],
		['nothing, for a second each time', { 'ratelimit-remaining': '0', 'ratelimit-reset': '1' }],
		['less than nothing', { 'x-rate-limit-remaining': '-7' }],
		['one', { 'x-ratelimit-remaining': '1', 'x-ratelimit-reset': '999999999999' }],
		['no number', { 'x-rate-limit-remaining': 'NaN', 'x-rate-limit-reset': 'never' }],
	])('costs speed at most when it is wrong: %s', async (_name, headers) => {
		const { limiter, attempt, clock, settle } = setUp();
		const results = await settle(
			...Array.from({ length: 500 }, (_, i) =>
				limiter.send(attempt('a', { statusCode: 200, headers }), patient(i)),
			),
		);
		expect(results.every(({ status }) => status === 'fulfilled')).toBe(true);
		expect(clock.now() - START).toBeLessThan(15_000);
	});

	test('is not believed when refusals say that something is left', async () => {
		const { limiter, clock, settle } = setUp();
		const { attempt, outcome } = counted(clock, 10);
		const lying = async () => {
			const { statusCode } = await attempt();
			return { statusCode, headers: { 'x-rate-limit-remaining': '999' } };
		};
		await settle(...Array.from({ length: 200 }, (_, i) => limiter.send(lying, patient(i))));
		expect(outcome.passed).toBe(200);
		expect(outcome.refused).toBeLessThan(40);
	});
});

describe('waiting', () => {
	test('takes as long as it should', async () => {
		const { limiter, clock, settle } = setUp();
		await settle(limiter.wait(2_500));
		expect(clock.now() - START).toBe(2_500);
	});

	test('ends when the run is stopped', async () => {
		const { limiter, clock, settle } = setUp();
		clock.at(START + 400, limiter.stop);
		const [result] = await settle(limiter.wait(60_000));
		expect(errorOf(result)).toBeInstanceOf(StoppedError);
		expect(clock.now() - START).toBe(400);
	});
});

describe('stopping', () => {
	test('refuses what waits and what comes later, and lets through what is under way', async () => {
		const { limiter, clock, attempt, names, settle } = setUp({ maxInFlight: 1 });
		clock.at(START + 5, limiter.stop);
		const results = await settle(
			limiter.send(attempt('a', OK), patient(0)),
			limiter.send(attempt('b', OK), patient(1)),
		);
		expect(results[0].status).toBe('fulfilled');
		expect(errorOf(results[1])).toBeInstanceOf(StoppedError);
		const [late] = await settle(limiter.send(attempt('c', OK), patient(2)));
		expect(errorOf(late)).toBeInstanceOf(StoppedError);
		expect(names()).toEqual(['a']);
		expect([limiter.stopped, limiter.signal.aborted]).toEqual([true, true]);
	});

	test('sends nothing again', async () => {
		const { limiter, clock, attempt, names, settle } = setUp();
		clock.at(START + 5, limiter.stop);
		const [result] = await settle(
			limiter.send(attempt('a', refusal()), { ...patient(), maxWaitMs: 0 }),
		);
		expect(errorOf(result)).toBeInstanceOf(StoppedError);
		expect(names()).toEqual(['a']);
	});

	test('leaves no timer that lasts longer than a second, and none that sends', async () => {
		const { limiter, clock, attempt, sent, settle } = setUp();
		clock.at(START + 500, limiter.stop);
		await settle(limiter.send(attempt('a', refusal({ 'retry-after': '100' })), patient()));
		const ends = clock.pending.map(({ at }) => at - clock.now());
		expect(Math.max(0, ...ends)).toBeLessThanOrEqual(1_000);
		await clock.runUntil(clock.sleep(200_000), 300_000);
		expect(sent).toHaveLength(1);
		expect(clock.pending).toEqual([]);
	});

	test('happens when the user stops the execution, also before the run', async () => {
		const user = new AbortController();
		const { limiter, attempt, clock, settle } = setUp({ signal: user.signal });
		clock.at(START + 300, () => user.abort());
		const [result] = await settle(
			limiter.send(attempt('a', refusal({ 'retry-after': '9' })), patient()),
		);
		expect(errorOf(result)).toBeInstanceOf(StoppedError);
		expect(clock.now() - START).toBe(300);
		expect(setUp({ signal: user.signal }).limiter.stopped).toBe(true);
	});

	test.each(['close', 'stop'] as const)('no longer listens to the user after %s()', (end) => {
		const user = new AbortController();
		const { limiter } = setUp({ signal: user.signal });
		expect(getEventListeners(user.signal, 'abort')).toHaveLength(1);
		limiter[end]();
		expect(getEventListeners(user.signal, 'abort')).toEqual([]);
		user.abort();
		expect(limiter.stopped).toBe(end === 'stop');
	});
});

describe('runs of one process', () => {
	test('share a pause when they use the same app, and only then', async () => {
		const { limiter, newLimiter, attempt, clock, sent, settle } = setUp();
		const [other, elsewhere] = [newLimiter(), newLimiter()];
		const refused = limiter.send(attempt('a', refusal({ 'retry-after': '5' }), OK), patient());
		await settle(clock.sleep(1_000));
		await settle(
			refused,
			other.send(attempt('b', OK), patient()),
			elsewhere.send(attempt('c', OK), { ...patient(), app: 'another' }),
		);
		expect(sent).toEqual([
			{ name: 'a', at: 0 },
			{ name: 'c', at: 1_000 },
			{ name: 'a', at: 5_010 },
			{ name: 'b', at: 5_020 },
		]);
	});

	test('take turns, also when one has many more requests than the other', async () => {
		const { limiter, newLimiter, attempt, clock, names, settle } = setUp();
		const other = newLimiter();
		const many = Array.from({ length: 100 }, (_, i) => limiter.send(attempt('a', OK), patient(i)));
		await settle(clock.sleep(1));
		const few = Array.from({ length: 5 }, (_, i) => other.send(attempt('b', OK), patient(i)));
		await settle(...many, ...few);
		expect(names().lastIndexOf('b')).toBeLessThan(16 + 10);
	});

	test('are few requests at the start all together, and each up to its own number later', async () => {
		const { newLimiter, clock, settle } = setUp({ maxInFlight: 20 });
		let inFlight = 0;
		const most = [0, 0];
		const attempt = async () => {
			inFlight++;
			const isLate = clock.now() > START + 300 ? 1 : 0;
			most[isLate] = Math.max(most[isLate], inFlight);
			await clock.sleep(200);
			inFlight--;
			return OK;
		};
		const runs = [newLimiter(), newLimiter(), newLimiter()];
		const sending = runs.flatMap((run) =>
			Array.from({ length: 100 }, async (_, i) => await run.send(attempt, patient(i))),
		);
		await settle(...sending);
		expect(most).toEqual([32, 60]);
	});

	test('give up after as long without any pass as they were there themselves', async () => {
		const { limiter, newLimiter, attempt, clock, sent, settle } = setUp();
		const again = refusal({ 'retry-after': '1' });
		const first = limiter.send(attempt('a', again), { ...patient(), maxWaitMs: 60_000 });
		await settle(clock.sleep(50_000));
		const late = newLimiter().send(attempt('b', again), { ...patient(), maxWaitMs: 30_000 });
		const ended = late.catch(() => clock.now() - START);
		const results = await settle(first, late);
		for (const result of results) expect(errorOf(result)).toBeInstanceOf(RateLimitError);
		expect(await ended).toBeGreaterThanOrEqual(80_000);
		expect(await ended).toBeLessThan(82_000);
		expect(sent.filter(({ at }) => at > 50_000).some(({ name }) => name === 'b')).toBe(true);
	});

	test('go on when the one is stopped whose request should show that the pause is over', async () => {
		const { limiter, newLimiter, attempt, clock, names, settle } = setUp({ maxInFlight: 1 });
		const other = newLimiter();
		const long = async () => {
			await attempt('a', OK)();
			await clock.sleep(3_000);
			return OK;
		};
		const refused = refusal({ 'retry-after': '2' });
		let isFirst = true;
		const stopped = limiter.send(async () => {
			if (!isFirst) return await long();
			isFirst = false;
			return await attempt('a', refused)();
		}, patient());
		const waiting = [
			limiter.send(attempt('never', OK), patient(1)),
			other.send(attempt('b', OK), patient()),
		];
		clock.at(START + 2_100, limiter.stop);
		const results = await settle(stopped, ...waiting);
		expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
		expect(names()).toEqual(['a', 'b', 'a']);
	});

	test('forget the limit with the last of them', async () => {
		const { limiter, newLimiter, attempt, clock, times, settle } = setUp();
		const long = refusal({ 'retry-after': '200' });
		const waiting = limiter.send(attempt('a', long), patient());
		await settle(clock.sleep(1_000));
		const other = newLimiter();
		const sending = other.send(attempt('b', OK), patient());
		await settle(clock.sleep(1_000));
		expect(times()).toEqual([0]);
		other.close();
		limiter.stop();
		await settle(waiting, sending, newLimiter().send(attempt('c', OK), patient()));
		expect(times()).toEqual([0, 2_000]);
		// Closed is not stopped
		expect((await settle(other.send(attempt('d', OK), patient())))[0].status).toBe('fulfilled');
	});

	test('see for themselves, once, when others wait for longer than they may', async () => {
		const { limiter, newLimiter, attempt, clock, sent, settle } = setUp();
		const long = refusal({ 'retry-after': '9000' });
		const waiting = limiter.send(attempt('a', long, OK), { ...patient(), maxWaitMs: 9_000_000 });
		await settle(clock.sleep(1_000));
		const late = newLimiter();
		const results = await settle(
			late.send(attempt('b', refusal({ 'retry-after': '400' })), patient(0)),
			late.send(attempt('c', OK), patient(1)),
		);
		expect(results.map(errorOf)).toMatchObject([{ attempts: 1 }, { attempts: 0 }]);
		await settle(clock.sleep(990));
		const [passed] = await settle(newLimiter().send(attempt('d', OK), patient()));
		expect(passed.status).toBe('fulfilled');
		await settle(waiting);
		expect(sent).toEqual([
			{ name: 'a', at: 0 },
			{ name: 'b', at: 1_000 },
			{ name: 'd', at: 2_000 },
			{ name: 'a', at: 2_010 },
		]);
	});

	test.each([
		['passes', [OK], ['fulfilled', 'fulfilled', 'fulfilled'], 0],
		['is refused', [refusal({ 'retry-after': '400' })], ['rejected', 'rejected', 'rejected'], 0],
		['gets no response', [new Error('Cut')], ['rejected', 'rejected', 'rejected'], 0],
		['is stopped', [OK], ['fulfilled', 'rejected', 'fulfilled'], 1_005],
	] as const)('wait for the one that sees: it %s', async (_how, responses, expected, stopAt) => {
		const { limiter, newLimiter, attempt, clock, settle } = setUp();
		const long = refusal({ 'retry-after': '9000' });
		const waiting = limiter.send(attempt('a', long, OK), { ...patient(), maxWaitMs: 9_000_000 });
		await settle(clock.sleep(1_000));
		const [one, another] = [newLimiter(), newLimiter()];
		if (stopAt > 0) clock.at(START + stopAt, one.stop);
		const results = await settle(
			one.send(attempt('b', ...responses), patient(0)),
			one.send(attempt('c', OK), patient(1)),
			another.send(attempt('d', OK), patient(0)),
		);
		expect(results.map(({ status }) => status)).toEqual(expected);
		expect(clock.now() - START).toBeLessThan(1_100);
		await settle(waiting);
	});

	test('do not wait for the slow responses to another', async () => {
		const { limiter, newLimiter, attempt, clock, times, settle } = setUp();
		const slow = async () => {
			await clock.sleep(600_000);
			return OK;
		};
		const hanging = Array.from({ length: 100 }, (_, i) => limiter.send(slow, patient(i)));
		await settle(clock.sleep(10_000));
		const other = newLimiter();
		await settle(
			...Array.from({ length: 100 }, (_, i) => other.send(attempt('b', OK), patient(i))),
		);
		// A second until the first may go, and each that passes lets in two
		expect(times()[0]).toBeLessThanOrEqual(11_000);
		expect(times()[99]).toBeLessThan(13_000);
		limiter.stop();
		await settle(...hanging);
	});

	test('do not wait for long for the one that should show that a pause is over', async () => {
		const { limiter, newLimiter, attempt, clock, times, settle } = setUp();
		const responses = [refusal({ 'retry-after': '2' }), OK];
		const hanging = limiter.send(async () => {
			const response = await attempt('a', ...responses.splice(0, 1))();
			if (response === OK) await clock.sleep(600_000);
			return response;
		}, patient());
		await settle(clock.sleep(1_000));
		await settle(newLimiter().send(attempt('b', OK), patient()));
		expect(times()).toEqual([0, 2_010, 5_010]);
		limiter.stop();
		await settle(hanging);
	});

	test('leave nothing behind when they end while a request is under way', async () => {
		const { limiter, attempt, clock, names, settle } = setUp();
		const sending = limiter.send(attempt('a', refusal()), patient());
		clock.at(START + 5, () => limiter.close());
		const [result] = await settle(sending);
		expect(errorOf(result)).toBeInstanceOf(StoppedError);
		await settle(clock.sleep(5_000));
		expect(names()).toEqual(['a']);
	});
});

describe('by the clock of the machine', () => {
	test('a pause lasts at least as long as asked for', async () => {
		const limiter = new RequestLimiter();
		const begin = performance.now();
		let attempts = 0;
		await limiter.send(
			async () => (attempts++ === 0 ? refusal({ 'retry-after': '1.2' }) : OK),
			patient(),
		);
		expect(performance.now() - begin).toBeGreaterThanOrEqual(1_199);
	});

	test('stopping ends a wait at once, and leaves no listener', async () => {
		const limiter = new RequestLimiter();
		const waiting = limiter.wait(3_600_000);
		await turn();
		const begin = performance.now();
		limiter.stop();
		await expect(waiting).rejects.toThrow(StoppedError);
		expect(performance.now() - begin).toBeLessThan(5_000);
		expect(getEventListeners(limiter.signal, 'abort')).toEqual([]);
	});
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
			'ratelimit-reset': headerValue,
			date: headerValue,
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
				const limits = new RateLimits(clock, random);
				const limiters = Array.from(
					{ length: runs },
					() => new RequestLimiter({ limits, maxInFlight }),
				);
				const broken = new Error('The connection was cut');
				let attempts = 0;
				let sentAfterStop = 0;
				const requestsOf = async (limiter: RequestLimiter) => {
					const first: number[] = [];
					let inFlight = 0;
					const attempt = async (order: number) => {
						if (limiter.stopped) sentAfterStop++;
						if (!first.includes(order)) first.push(order);
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
							return limiter.send(() => attempt(order), { ...patient(order), maxWaitMs });
						}),
					);
					expect(first).toEqual([...first].sort((a, b) => a - b));
					return results;
				};
				const settled = Promise.all(limiters.map(requestsOf));
				if (stopAfterMs !== null) clock.at(START + stopAfterMs, limiters[0].stop);
				// Within twice the longest wait a request ends: it passes, or it gives up
				await clock.runUntil(settled, (runs * count + 1) * 2 * 5 * MINUTES);
				for (const [run, results] of (await settled).entries()) {
					for (const result of results) {
						if (result.status === 'fulfilled') expect(result.value.statusCode).toBe(200);
						else if (result.reason instanceof RateLimitError) {
							expect(result.reason.requiredMs).toBeGreaterThanOrEqual(0);
							expect(result.reason.attempts === 0).toBe(result.reason.response === undefined);
						} else if (result.reason !== broken) {
							expect(result.reason).toBeInstanceOf(StoppedError);
							expect([run, stopAfterMs === null]).toEqual([0, false]);
						}
					}
				}
				expect(sentAfterStop).toBe(0);
				for (const limiter of limiters) limiter.stop();
				const ends = clock.pending.map(({ at }) => at - clock.now());
				const own = stopAfterMs === null ? ends : [];
				expect(Math.max(0, ...own)).toBeLessThanOrEqual(1_000);
			}),
			{ numRuns: 150 },
		);
	});
});
