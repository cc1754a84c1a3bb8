import {
	RateLimitError,
	type LimitedResponse,
} from '../../../../nodes/CometChat/transport/limiter';
import {
	asks,
	CUT,
	during,
	ends,
	errorOf,
	many,
	of,
	OK,
	patient,
	setUp,
	START,
} from './limiter.harness';

describe('runs of one process', () => {
	test('share a pause when they meet the same limit, and only then', async () => {
		const { limiter, newLimiter, attempt, pass, sent, settle } = setUp();
		const [other, elsewhere] = [newLimiter(), newLimiter()];
		const refused = limiter.send(attempt('a', asks(5), OK), patient());
		await pass(1_000);
		await settle(
			refused,
			other.send(attempt('b', OK), patient()),
			elsewhere.send(attempt('c', OK), of('another', 0)),
		);
		expect(sent).toEqual([
			{ name: 'a', at: 0 },
			{ name: 'c', at: 1_000 },
			{ name: 'a', at: 5_010 },
			{ name: 'b', at: 5_020 },
		]);
	});

	test('take turns, also when one has many more requests than the other', async () => {
		const { limiter, newLimiter, attempt, names, pass, settle } = setUp();
		const other = newLimiter();
		const refused = many(20, (i) => limiter.send(attempt('a', asks(1), OK), patient(i)));
		await pass(20);
		const few = many(3, (i) => other.send(attempt('b', OK), patient(i)));
		await settle(...refused, ...few);
		expect(names().slice(20, 28)).toBe('abababaa');
	});

	test('have places of their own', async () => {
		const { limiter, newLimiter, attempt, times, settle } = setUp({ maxInFlight: 20 });
		const runs = [limiter, newLimiter()];
		await settle(...runs.flatMap((run) => many(30, (i) => run.send(attempt('a', OK), patient(i)))));
		expect(times().filter((at) => at === 0)).toHaveLength(40);
	});

	test('give up after as long without any pass as they were there themselves', async () => {
		const { limiter, newLimiter, attempt, clock, sent, pass, settle } = setUp();
		const first = limiter.send(attempt('a', asks(1)), during(60_000));
		await pass(50_000);
		const late = newLimiter().send(attempt('b', asks(1)), during(30_000));
		const ended = late.catch(() => clock.now() - START);
		const results = await settle(first, late);
		for (const result of results) expect(errorOf(result)).toBeInstanceOf(RateLimitError);
		expect(await ended).toBe(80_810);
		expect(sent.filter(({ at }) => at > 50_000).some(({ name }) => name === 'b')).toBe(true);
	});

	test('go on when the one is stopped whose request should show that the pause is over', async () => {
		const { limiter, newLimiter, attempt, clock, names, settle } = setUp({ maxInFlight: 1 });
		const responses = [asks(2), OK];
		const stopped = limiter.send(async () => {
			const response = await attempt('a', ...responses.splice(0, 1))();
			if (response === OK) await clock.sleep(500);
			return response;
		}, patient());
		const waiting = [
			limiter.send(attempt('never', OK), patient(1)),
			newLimiter().send(attempt('b', OK), patient()),
		];
		clock.at(START + 2_100, limiter.stop);
		expect(ends(await settle(stopped, ...waiting))).toBe('✓✗✓');
		expect(names()).toBe('aba');
	});

	test('forget the limit with the last of them', async () => {
		const { limiter, newLimiter, attempt, times, pass, settle } = setUp();
		const waiting = limiter.send(attempt('a', asks(200)), patient());
		await pass(1_000);
		const other = newLimiter();
		const sending = other.send(attempt('b', OK), patient());
		await pass(1_000);
		other.stop();
		expect(ends(await settle(sending))).toBe('✗');
		const third = newLimiter().send(attempt('c', OK), patient());
		await pass(1_000);
		// The first one knows that there is a pause
		expect(times()).toEqual([0]);
		limiter.stop();
		expect(ends(await settle(waiting))).toBe('✗');
		await pass(1_000);
		expect(times()).toEqual([0]);
		expect(ends(await settle(third))).toBe('✓');
	});

	test('know nothing of a limit that nobody used any more', async () => {
		const { limiter, newLimiter, attempt, times, pass, settle } = setUp();
		const waiting = limiter.send(attempt('a', asks(200)), patient());
		await pass(1_000);
		limiter.stop();
		await settle(waiting, newLimiter().send(attempt('b', OK), patient()));
		expect(times()).toEqual([0, 1_000]);
	});

	test('see for themselves, once, when others wait for longer than they may', async () => {
		const { limiter, newLimiter, attempt, sent, pass, settle } = setUp();
		const waiting = limiter.send(attempt('a', asks(400), OK), during(400_000));
		await pass(1_000);
		const late = newLimiter();
		const results = await settle(
			late.send(attempt('b', asks(350)), patient(0)),
			late.send(attempt('c', OK), patient(1)),
		);
		expect(results.map(errorOf)).toMatchObject([
			{ response: asks(350), waitedMs: 0 },
			{ response: undefined, waitedMs: 10 },
		]);
		await pass(990);
		expect(ends(await settle(newLimiter().send(attempt('d', OK), patient())))).toBe('✓');
		await settle(waiting);
		expect(sent).toEqual([
			{ name: 'a', at: 0 },
			{ name: 'b', at: 1_000 },
			{ name: 'd', at: 2_000 },
			{ name: 'a', at: 2_010 },
		]);
	});

	test.each([
		['passes', [OK], '✓✓✓', 0],
		['is refused', [asks(350)], '⏱⏱⏱', 0],
		['gets no response', [CUT], '✗⏱⏱', 0],
		['is stopped', [OK], '✓✗✓', 1_005],
	] as const)('wait for the one that sees: it %s', async (_how, responses, expected, stopAt) => {
		const { limiter, newLimiter, attempt, clock, pass, settle } = setUp();
		const waiting = limiter.send(attempt('a', asks(400), OK), during(400_000));
		await pass(1_000);
		const [one, another] = [newLimiter(), newLimiter()];
		if (stopAt > 0) clock.at(START + stopAt, one.stop);
		const results = await settle(
			one.send(attempt('b', ...responses), patient(0)),
			one.send(attempt('c', OK), patient(1)),
			another.send(attempt('d', OK), patient(0)),
		);
		expect(ends(results)).toBe(expected);
		expect(clock.now() - START).toBeLessThan(1_100);
		await settle(waiting);
	});

	test('do not wait for the slow responses to another', async () => {
		const { limiter, newLimiter, attempt, clock, times, pass, settle } = setUp({ maxInFlight: 3 });
		const responses: LimitedResponse[] = [asks(1), OK];
		const first = limiter.send(attempt('a', ...responses), patient());
		const hanging = many(3, (i) =>
			limiter.send(
				async () => {
					await clock.sleep(600_000);
					return OK;
				},
				patient(i + 1),
			),
		);
		await settle(first);
		await pass(1);
		const other = newLimiter();
		await settle(...many(3, (i) => other.send(attempt('b', OK), patient(i))));
		// After the refusal there is room for one, and it is taken
		expect(times()).toEqual([0, 1_010, 2_020, 2_030, 2_040]);
		limiter.stop();
		await settle(...hanging);
	});

	test('forget a long pause when one saw that it is over', async () => {
		const { limiter, newLimiter, attempt, sent, pass, settle } = setUp();
		const waiting = limiter.send(attempt('a', asks(400), OK), during(400_000));
		await pass(1_000);
		const late = newLimiter();
		await settle(late.send(attempt('b', OK), patient()), waiting);
		await settle(late.send(attempt('c', asks(1), OK), patient()));
		expect(sent.map(({ at }) => at)).toEqual([0, 1_000, 1_010, 1_020, 2_030]);
	});
});
