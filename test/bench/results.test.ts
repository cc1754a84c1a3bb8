import { CASES, FREE, LIFE, leastMs } from '../../bench/cases';
import { checkMarks, lookupIn, median } from '../../bench/results';
import type { Measurement, Outcome } from '../../bench/results';

const measured = (figures: Partial<Measurement>): Measurement => ({
	ms: 1_000,
	cpuMs: 0,
	idleMb: 200,
	peakMb: 400,
	connections: 2_000,
	requests: 1_000,
	refused: 0,
	sendsMs: 6_000,
	othersMs: 2_000,
	...figures,
});

/** Every contender of all cases with the same figures, ours with its own. */
const outcomes = (ours: Partial<Measurement>): Outcome[] =>
	CASES.flatMap((run) =>
		run.contenders.map((contender): Outcome => {
			const figures = measured(contender === 'ours' ? ours : {});
			return { run, contender, rounds: [figures] };
		}),
	);

const GOOD = { ms: 329, peakMb: 359, connections: 64, refused: 2 };

const missed = (ours: Partial<Measurement>): string[] =>
	checkMarks(lookupIn(outcomes({ ...GOOD, ...ours })))
		.filter(({ reached }) => !reached)
		.map(({ name }) => name);

test('a node that is a little better than each mark asks for misses none', () => {
	expect(missed({})).toEqual([]);
});

test.each<[string, Partial<Measurement>, RegExp, number]>([
	['time in lists', { ms: 331 }, /groups.*HTTP Request's$/, 1],
	['time in lists and items', { ms: 901 }, /of HTTP Request's$/, 3],
	['memory', { peakMb: 361 }, /peak memory/, 1],
	['memory above that of the idle process', { peakMb: 381, idleMb: 200 }, /memory/, 2],
	['connections', { connections: 65 }, /connections/, 1],
	['refused requests', { refused: 11 }, /all headers: refused/, 1],
	['refused requests, as many as the free plan', { refused: 81 }, /refused/, 5],
	['time beside the least', { ms: 12_000 }, /of the least that the limit allows$/, 5],
	['time of the sends', { sendsMs: 7_400 }, /: the sends/, 1],
	['time of the other sends', { othersMs: 3_001 }, /another user/, 1],
])('misses the marks for it by too much: %s', (_what, ours, name, count) => {
	const named = missed(ours).filter((mark) => name.test(mark));
	expect(named).toHaveLength(count);
});

test('without figures no mark is reached', () => {
	const checked = checkMarks(lookupIn([]));
	expect(checked).toHaveLength(22);
	for (const { figure, reached } of checked) expect([figure, reached]).toEqual([NaN, false]);
});

test('the least time is that of the windows that are full before', () => {
	expect(leastMs(2_000, LIFE[0])).toBe(6 * 1_000 + 80);
	expect(leastMs(500, FREE.headers)).toBe(80);
	expect(leastMs(501, FREE.headers)).toBe(3_000 + 80);
});

test.each([
	[[30, 1, 2], 2],
	[[40, 1, 2, 10], 6],
	[[9, 10, 100], 10],
	[[], NaN],
])('the median of %j is %d', (numbers, middle) => expect(median(numbers)).toBe(middle));

test('each figure has a median of its own, and none when a round failed', () => {
	const [run] = CASES;
	const rounds = [
		measured({ ms: 1, peakMb: 300 }),
		measured({ ms: 2, peakMb: 100 }),
		measured({ ms: 9, peakMb: 200 }),
	];
	const found = lookupIn([{ run, contender: 'ours', rounds }])(run.name, 'ours');
	expect(found).toEqual(measured({ ms: 2, peakMb: 200 }));
	const failed = lookupIn([{ run, contender: 'ours', rounds, failure: 'It broke' }]);
	expect(failed(run.name, 'ours').ms).toBeNaN();
});

test('no two cases have the same name', () => {
	const names = CASES.map(({ name }) => name);
	expect(new Set(names).size).toBe(names.length);
});
