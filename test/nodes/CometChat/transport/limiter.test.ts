import { getEventListeners } from 'node:events';
import { StoppedError, RateLimitError } from '../../../../nodes/CometChat/transport/limiter';
import {
	asks,
	CUT,
	during,
	ends,
	errorOf,
	many,
	MINUTES,
	of,
	OK,
	patient,
	refusal,
	setUp,
	START,
} from './limiter.harness';
import { send } from './limiter.simulation';

// What is left to chance in a backoff lies in the middle
beforeEach(() => void jest.spyOn(Math, 'random').mockReturnValue(0.5));

describe('requests in flight', () => {
	test('start in order, and each ends with its own response', async () => {
		const { limiter, attempt, names, settle } = setUp({ maxInFlight: 1 });
		const responses = ['a', 'b', 'c', 'd'].map((name) => ({ ...OK, name }));
		const results = await settle(
			...responses.map((response, i) =>
				send(limiter, attempt(response.name, response), patient(i % 2)),
			),
		);
		expect(names()).toBe('acbd');
		expect(results).toEqual(responses.map((value) => ({ status: 'fulfilled', value })));
	});
});

describe('after a refusal', () => {
	test('nobody sends before the service says so, then the refused one goes first', async () => {
		const { limiter, attempt, sent, settle } = setUp({ maxInFlight: 1 });
		await settle(
			send(limiter, attempt('a', asks(7), OK), patient(0)),
			send(limiter, attempt('b', OK), patient(1)),
		);
		expect(sent).toEqual([
			{ name: 'a', at: 0 },
			{ name: 'a', at: 7_010 },
			{ name: 'b', at: 7_020 },
		]);
	});

	test('one request goes to see, and the others follow when it has passed', async () => {
		const { limiter, attempt, times, settle } = setUp();
		await settle(
			send(limiter, attempt('a', asks(1), asks(1), OK), patient(0)),
			...many(3, (i) => send(limiter, attempt('b', asks(1), OK), patient(i + 1))),
		);
		expect(times().slice(4, 7)).toEqual([1_010, 2_020, 2_030]);
	});

	test('as many requests as passed before the pause follow the trial, and then more step by step', async () => {
		const { limiter, clock, settle } = setUp({ maxInFlight: 10 });
		const inFlight: number[] = [];
		let now = 0;
		let sent = 0;
		const attempt = async () => {
			const isRefused = ++sent > 20 && sent <= 30;
			now++;
			if (sent > 31) inFlight.push(now);
			await clock.sleep(10);
			now--;
			return isRefused ? asks(1) : OK;
		};
		await settle(...many(60, (i) => send(limiter, attempt, patient(i))));
		expect(sent).toBe(70);
		// As many as 20 passed before the pause; each later response lets one more be in flight
		expect(inFlight.slice(0, 10)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
		expect(inFlight.slice(20, 25)).toEqual([1, 2, 2, 3, 3]);
	});

	test('another one goes to see when that one gets no response', async () => {
		const { limiter, attempt, names, settle } = setUp();
		const results = await settle(
			send(limiter, attempt('a', refusal(), CUT), patient(0)),
			send(limiter, attempt('b', refusal(), OK), patient(1)),
		);
		expect(ends(results)).toBe('✗✓');
		expect(names()).toBe('abab');
	});

	test('slow responses end the pause, too, when others went to see meanwhile', async () => {
		const { limiter, clock, attempt, times, settle } = setUp();
		const slow = (name: string) => {
			const responses = [asks(1), OK];
			return async () => {
				const response = await attempt(name, ...responses.splice(0, 1))();
				if (response === OK) await clock.sleep(2_490);
				return response;
			};
		};
		await settle(...many(4, (i) => send(limiter, slow('a'), patient(i))));
		expect(times().slice(4)).toEqual([1_010, 2_010, 3_010, 4_510]);
	});

	test('what a gateway says does not end the pause, and is the response', async () => {
		const { limiter, attempt, names, settle } = setUp();
		const gateway = { statusCode: 500, headers: {} };
		const [first] = await settle(
			send(limiter, attempt('a', refusal(), gateway), patient(0)),
			send(limiter, attempt('b', refusal(), refusal(), OK), patient(1)),
			send(limiter, attempt('c', refusal(), OK), patient(2)),
		);
		expect(first).toEqual({ status: 'fulfilled', value: gateway });
		expect(names()).toBe('abcabbc');
	});

	test('the longest wait counts that was asked for, and more than the end of the window', async () => {
		const { limiter, attempt, times, settle } = setUp();
		const both = { 'retry-after': '7', 'x-ratelimit-reset': String(START / 1000 + 20) };
		await settle(
			send(limiter, attempt('a', refusal(both), OK), patient(0)),
			send(limiter, attempt('b', asks(2), OK), patient(1)),
		);
		expect(times()).toEqual([0, 0, 7_010, 7_020]);
	});

	test('what was sent before does not end the pause', async () => {
		const { limiter, clock, attempt, times, settle } = setUp({ maxInFlight: 2 });
		const slow = async () => {
			await clock.sleep(500);
			return OK;
		};
		await settle(
			send(limiter, attempt('a', asks(1), OK), patient(0)),
			send(limiter, slow, patient(1)),
			send(limiter, attempt('b', OK), patient(2)),
		);
		expect(times()).toEqual([0, 1_010, 1_020]);
	});

	test.each([
		['nothing', {}],
		['a reset that has passed', { 'x-rate-limit-reset': '1700000000' }],
	])('there is a backoff that grows when the service says %s', async (_name, headers) => {
		const { limiter, attempt, times, settle } = setUp();
		const again = Array.from({ length: 8 }, () => refusal(headers));
		await settle(send(limiter, attempt('a', ...again, OK), patient()));
		const waits = times().map((at, i, all) => at - (all[i - 1] ?? 0) - 10);
		expect(waits.slice(1)).toEqual([375, 750, 1_500, 3_000, 6_000, 12_000, 22_500, 22_500]);
	});
});

describe('giving up', () => {
	test('comes at the first refusal that asks for more than the request may wait', async () => {
		const { limiter, attempt, names, settle } = setUp();
		const results = await settle(
			send(limiter, attempt('a', asks(301)), patient(0)),
			send(limiter, attempt('b', asks(301), OK), during(301_000, 1)),
		);
		expect(errorOf(results[0])).toBeInstanceOf(RateLimitError);
		expect(errorOf(results[0])).toMatchObject({ requiredMs: 301_000 });
		expect(ends(results)).toBe('⏱✓');
		expect(names()).toBe('abb');
	});

	test('comes when nothing has passed for as long as the request may wait', async () => {
		const { limiter, attempt, times, settle } = setUp();
		const [result] = await settle(send(limiter, attempt('a', asks(1)), during(10_000)));
		// The first refusal came at 10, and one each 1,010 later
		expect(times()).toEqual(Array.from({ length: 11 }, (_, i) => i * 1_010));
		expect(errorOf(result)).toMatchObject({ requiredMs: 1_000 });
	});

	test('does not come while others pass, however long the queue', async () => {
		const { limiter, clock, settle } = setUp();
		let window = 0;
		const attempt = async () => {
			await clock.sleep(10);
			const current = Math.floor(clock.now() / 1_000);
			if (current === window) return asks(1);
			window = current;
			return OK;
		};
		const results = await settle(...many(60, (i) => send(limiter, attempt, during(2_500, i))));
		expect(ends(results)).toBe('✓'.repeat(60));
	});
});

describe('what the headers say is left', () => {
	/** Responses that leave so many until so many seconds after the start. */
	const leaving = (remaining: number, resetsAt?: number) => ({
		statusCode: 200,
		headers: {
			'x-ratelimit-remaining': String(remaining),
			'x-ratelimit-reset': resetsAt === undefined ? undefined : String(START / 1000 + resetsAt),
		},
	});

	test('is not exceeded, and when nothing is left, one goes to see after the window', async () => {
		const { limiter, clock, settle } = setUp();
		const passed: number[] = [];
		let refused = 0;
		const attempt = async () => {
			await clock.sleep(10);
			const at = clock.now() - START;
			const used = passed.filter((other) => other >= at - (at % MINUTES)).length;
			if (used === 80) refused++;
			else passed.push(at);
			return leaving(80 - used - 1, (Math.floor(at / MINUTES) + 1) * 60);
		};
		await settle(...many(200, (i) => send(limiter, attempt, patient(i))));
		expect(refused).toBe(0);
		expect(passed.slice(78, 84)).toEqual([20, 20, 60_060, 60_070, 60_070, 60_070]);
		expect(passed[199]).toBe(120_070);
	});

	test('counts by the lowest number within a window, for responses overtake each other', async () => {
		const { limiter, attempt, times, settle } = setUp({ maxInFlight: 2 });
		await settle(
			send(limiter, attempt('a', leaving(1, 30)), patient(0)),
			send(limiter, attempt('a', leaving(2, 30)), patient(1)),
			...many(3, (i) => send(limiter, attempt('b', leaving(1, 30)), patient(i + 2))),
		);
		expect(times()).toEqual([0, 0, 10, 20, 30]);
	});

	test('no longer counts after the window, although requests that were sent got no response', async () => {
		const { limiter, clock, attempt, times, settle } = setUp();
		await settle(send(limiter, attempt('a', leaving(2, 30)), patient()));
		const hanging = many(2, (i) =>
			send(
				limiter,
				async () => {
					await clock.sleep(600_000);
					return OK;
				},
				patient(i),
			),
		);
		await settle(...many(3, (i) => send(limiter, attempt('b', leaving(3, 90)), patient(i))));
		expect(times()).toEqual([0, 30_050, 30_050, 30_050]);
		limiter.stop();
		await settle(...hanging);
	});

	test('no longer counts after a refusal', async () => {
		const { limiter, attempt, times, settle } = setUp();
		await settle(send(limiter, attempt('a', leaving(1, 30)), patient()));
		await settle(send(limiter, attempt('b', asks(1), OK), patient()));
		await settle(...many(3, (i) => send(limiter, attempt('c', OK), patient(i))));
		expect(times()).toEqual([0, 10, 1_020, 1_030, 1_040, 1_040]);
	});

	test('counts for a second when nobody says until when', async () => {
		const { limiter, attempt, times, settle } = setUp();
		await settle(send(limiter, attempt('a', leaving(0)), patient()));
		await settle(...many(2, (i) => send(limiter, attempt('b', OK), patient(i))));
		expect(times()).toEqual([0, 1_010, 1_020]);
	});

	test('is too little for those that may not wait for the end of the window', async () => {
		const { limiter, attempt, names, settle } = setUp({ maxInFlight: 1 });
		const results = await settle(
			send(limiter, attempt('a', leaving(0, 30)), during(10_000, 0)),
			send(limiter, attempt('b', OK), during(10_000, 1)),
			send(limiter, attempt('c', OK), during(31_000, 2)),
		);
		expect(ends(results)).toBe('✓⏱✓');
		expect(names()).toBe('ac');
	});
});

describe('the limits of one run', () => {
	test('do not hold up each other, nor does a pause of one keep places from another', async () => {
		const { limiter, attempt, names, times, settle } = setUp({ maxInFlight: 2 });
		const results = await settle(
			...many(4, (i) => send(limiter, attempt('a', asks(600), OK), of('send', i))),
			...many(4, (i) => send(limiter, attempt('b', OK), of('other', 4 + i))),
		);
		expect(names()).toBe('aabbbb');
		expect(times()).toEqual([0, 0, 10, 10, 20, 20]);
		expect(ends(results)).toBe('⏱⏱⏱⏱✓✓✓✓');
	});

	test('give a place that becomes free to the first in order, whichever it meets', async () => {
		const { limiter, attempt, names, settle } = setUp({ maxInFlight: 1 });
		await settle(
			...many(3, (i) => send(limiter, attempt('a', OK), of('one', 3 * i))),
			...many(3, (i) => send(limiter, attempt('b', OK), of('two', 3 * i + 1))),
			...many(3, (i) => send(limiter, attempt('c', OK), of('three', 3 * i + 2))),
		);
		expect(names()).toBe('abcabcabc');
	});

	test('come back after a pause though all places were taken when it began', async () => {
		const { limiter, attempt, sent, settle } = setUp({ maxInFlight: 1 });
		await settle(
			send(limiter, attempt('a', asks(1), OK), of('one', 0)),
			...many(30, (i) => send(limiter, attempt('b', OK), of('two', 1 + i))),
		);
		expect(sent.filter(({ name }) => name === 'a').map(({ at }) => at)).toEqual([0, 1_010]);
		expect(sent.at(-2)).toEqual({ name: 'b', at: 300 });
	});
});

describe('waiting', () => {
	test('takes as long as it should, or until the run is stopped', async () => {
		const { limiter, clock, settle } = setUp();
		await settle(limiter.wait(2_500));
		expect(clock.now() - START).toBe(2_500);
		clock.at(START + 3_000, limiter.stop);
		const [result] = await settle(limiter.wait(60_000));
		expect(errorOf(result)).toBeInstanceOf(StoppedError);
		expect(clock.now() - START).toBe(3_000);
	});
});

describe('stopping', () => {
	test('refuses what waits and what comes later, and lets through what is under way', async () => {
		const { limiter, clock, attempt, names, settle } = setUp({ maxInFlight: 1 });
		clock.at(START + 5, limiter.stop);
		const results = await settle(
			send(limiter, attempt('a', OK), patient(0)),
			send(limiter, attempt('b', OK), patient(1)),
		);
		results.push(...(await settle(send(limiter, attempt('c', OK), patient(2)))));
		expect(ends(results)).toBe('✓✗✗');
		for (const result of results.slice(1)) expect(errorOf(result)).toBeInstanceOf(StoppedError);
		expect(names()).toBe('a');
		expect(limiter.stopped).toBe(true);
	});

	test('sends nothing again', async () => {
		const { limiter, clock, attempt, names, pass, settle } = setUp();
		clock.at(START + 5, limiter.stop);
		const [result] = await settle(send(limiter, attempt('a', refusal()), patient()));
		expect(errorOf(result)).toBeInstanceOf(StoppedError);
		await pass(5_000);
		expect(names()).toBe('a');
		expect(limiter.stopped).toBe(true);
	});

	test('leaves no timer that lasts, and none that sends', async () => {
		const { limiter, clock, attempt, sent, pass, settle } = setUp();
		clock.at(START + 550, limiter.stop);
		await settle(send(limiter, attempt('a', asks(100)), patient()));
		expect(clock.pending.map((at) => at - START)).toEqual([610]);
		await pass(200_000);
		expect(sent).toHaveLength(1);
		expect(clock.pending).toEqual([]);
	});

	test('happens when the user stops the execution, also before the run', async () => {
		const user = new AbortController();
		const { limiter, attempt, clock, settle } = setUp({ signal: user.signal });
		clock.at(START + 300, () => user.abort());
		const [result] = await settle(send(limiter, attempt('a', asks(9)), patient()));
		expect(errorOf(result)).toBeInstanceOf(StoppedError);
		expect(clock.now() - START).toBe(300);
		expect(setUp({ signal: user.signal }).limiter.stopped).toBe(true);
	});

	test('no longer listens to the user', () => {
		const user = new AbortController();
		const { limiter } = setUp({ signal: user.signal });
		expect(getEventListeners(user.signal, 'abort')).toHaveLength(1);
		limiter.stop();
		expect(getEventListeners(user.signal, 'abort')).toEqual([]);
	});
});
