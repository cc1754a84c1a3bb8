import type { Occurrence } from '../../../../nodes/CometChat/trigger/events';
import type { Mark } from '../../../../nodes/CometChat/trigger/mark';
import {
	OVERLAP,
	advance,
	freshness,
	isCredible,
	sinceOf,
	windowStart,
} from '../../../../nodes/CometChat/trigger/mark';

const occurrence = (guid: string, at: number, version = String(at)): Occurrence => ({
	group: { guid },
	guid,
	at,
	version,
	isTimed: true,
});

const found = (occurrences: Occurrence[], time: number, untimed: string[] = []) => ({
	occurrences,
	time,
	untimed: new Set(untimed),
});

const at1000: Mark = { time: 1_000, seen: [['a', 1_000, '1000']] };

describe('the window', () => {
	test('begins some seconds before the mark, and never before 1970', () => {
		expect(windowStart(at1000)).toBe(1_000 - OVERLAP);
		expect(windowStart({ time: 2, seen: [] })).toBe(0);
	});

	test('is asked for from the second before it, so that "after" and "from" both bring it', () => {
		expect(sinceOf(at1000)).toBe(1_000 - OVERLAP - 1);
	});

	test('that begins at the beginning needs no time', () => {
		expect(sinceOf({ time: 0, seen: [] })).toBeUndefined();
		expect(sinceOf({ time: OVERLAP + 1, seen: [] })).toBeUndefined();
		expect(sinceOf({ time: OVERLAP + 2, seen: [] })).toBe(1);
	});
});

describe('isCredible', () => {
	const ours = Math.floor(Date.now() / 1000);

	test.each([
		['the past', 0, true],
		['a clock that is some hours ahead', ours + 10 * 3_600, true],
		['a time in milliseconds', ours * 1_000, false],
		['next year', ours + 400 * 86_400, false],
	])('%s', (_, time, expected) => {
		expect(isCredible(time)).toBe(expected);
	});
});

describe('freshness', () => {
	const isFresh = freshness(at1000);

	test.each([
		['what was given is not', occurrence('a', 1_000), false],
		['another version in the same second is', occurrence('a', 1_000, 'other'), true],
		['the same group later is', occurrence('a', 1_001), true],
		['an older state of what was given is not', occurrence('a', 999), false],
		['another group in the same second is', occurrence('b', 1_000), true],
		['another group in the first second of the window is', occurrence('b', 995), true],
		['what is before the window is not', occurrence('b', 994), false],
	])('%s', (_, candidate, expected) => {
		expect(isFresh(candidate)).toBe(expected);
	});

	test('a GUID with the name of a property of all objects is one like others', () => {
		expect(isFresh(occurrence('__proto__', 1_000))).toBe(true);
		const given = advance(at1000, found([occurrence('__proto__', 1_000)], 1_000));
		expect(freshness(given)(occurrence('__proto__', 1_000))).toBe(false);
	});
});

describe('advance', () => {
	test('goes on to the latest, and remembers what is in the new window', () => {
		const next = advance(at1000, found([occurrence('b', 1_002), occurrence('c', 1_006)], 1_006));
		expect(next).toEqual({
			time: 1_006,
			seen: [
				['b', 1_002, '1002'],
				['c', 1_006, '1006'],
			],
		});
	});

	test('keeps one entry per group, the last', () => {
		const next = advance(at1000, found([occurrence('a', 1_003)], 1_003));
		expect(next.seen).toEqual([['a', 1_003, '1003']]);
	});

	test('never goes back', () => {
		expect(advance(at1000, found([], 10)).time).toBe(1_000);
	});

	test('remembers a group without a time as long as it is listed', () => {
		const later = found([occurrence('b', 2_000)], 2_000, ['a']);
		expect(advance(at1000, later).seen.map(([guid]) => guid)).toEqual(['a', 'b']);
		const gone = found([occurrence('b', 2_000)], 2_000);
		expect(advance(at1000, gone).seen.map(([guid]) => guid)).toEqual(['b']);
	});

	test('gives what n8n can save as JSON', () => {
		const next = advance(at1000, found([occurrence('b', 1_002)], 1_002));
		expect(JSON.parse(JSON.stringify(next))).toEqual(next);
	});
});
