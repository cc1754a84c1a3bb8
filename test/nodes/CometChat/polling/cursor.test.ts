import type { Occurrence } from '../../../../nodes/CometChat/polling/events';
import type { Cursor } from '../../../../nodes/CometChat/polling/cursor';
import {
	OVERLAP,
	freshness,
	isCredible,
	remembered,
	sinceOf,
	windowStart,
} from '../../../../nodes/CometChat/polling/cursor';

const occurrence = (guid: string, at: number, version = String(at)): Occurrence => ({
	group: { guid },
	guid,
	at,
	version,
	isTimed: true,
});

const at1000: Cursor = { time: 1_000, seen: [['a', 1_000, '1000']] };

describe('the window', () => {
	test('begins some seconds before the cursor, and never before 1970', () => {
		expect(windowStart(at1000)).toBe(1_000 - OVERLAP);
		expect(windowStart({ time: 2 })).toBe(0);
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
		['what was returned is not', occurrence('a', 1_000), false],
		['another version in the same second is', occurrence('a', 1_000, 'other'), true],
		['the same group later is', occurrence('a', 1_001), true],
		['an older state of what was returned is not', occurrence('a', 999), false],
		['another group in the same second is', occurrence('b', 1_000), true],
		['another group in the first second of the window is', occurrence('b', 995), true],
		['what is before the window is not', occurrence('b', 994), false],
	])('%s', (_, candidate, expected) => {
		expect(isFresh(candidate)).toBe(expected);
	});

	test('a GUID with the name of a property of all objects is one like others', () => {
		expect(isFresh(occurrence('__proto__', 1_000))).toBe(true);
		const seen = remembered(at1000, [occurrence('__proto__', 1_000)]);
		expect(freshness({ ...at1000, seen })(occurrence('__proto__', 1_000))).toBe(false);
	});

	test('a group that was returned with a time far ahead is not hidden by it', () => {
		const FAR = Math.floor(Date.now() / 1000) + 10 * 365 * 86_400;
		const isFreshNow = freshness({ time: 1_000, seen: [['a', FAR, String(FAR)]] });
		expect(isFreshNow(occurrence('a', FAR))).toBe(false);
		expect(isFreshNow(occurrence('a', 1_001))).toBe(true);
	});
});

describe('remembered', () => {
	const namesOf = (seen: Cursor['seen']) => seen.map(([guid]) => guid);

	test('is what was returned and can be met again', () => {
		const seen = remembered(at1000, [occurrence('b', 1_002), occurrence('c', 1_006)]);
		expect(seen).toEqual([
			['a', 1_000, '1000'],
			['b', 1_002, '1002'],
			['c', 1_006, '1006'],
		]);
		expect(namesOf(remembered({ time: 1_006, seen }, []))).toEqual(['b', 'c']);
	});

	test('is one entry per group, the last', () => {
		expect(remembered(at1000, [occurrence('a', 1_003)])).toEqual([['a', 1_003, '1003']]);
	});

	test('is plain JSON', () => {
		const seen = remembered(at1000, [occurrence('b', 1_002)]);
		expect(JSON.parse(JSON.stringify(seen))).toEqual(seen);
	});
});
