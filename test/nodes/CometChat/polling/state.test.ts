import type { Dated } from '../../../../nodes/CometChat/polling/dated';
import {
	OVERLAP,
	firstState,
	isState,
	nextStep,
	windowStart,
	type PollState,
} from '../../../../nodes/CometChat/polling/state';

const NOW = 20_000;

const group = (guid: string, at: number, version = String(at), byApp = false): Dated => ({
	thing: { guid },
	id: guid,
	at,
	version,
	byApp,
});

const at10000: PollState = { purpose: 'p', upTo: 10_000, returned: [['a', 10_000, '10000']] };

/** GUIDs that a step returns. */
const given = (state: PollState, met: Dated[], most = 100) =>
	nextStep(state, { groups: met, isOnePage: true }, most, NOW).groups.map(({ id }) => id);

const after = (state: PollState, met: Dated[], most = 100) =>
	nextStep(state, { groups: met, isOnePage: true }, most, NOW).state;

test('a new state looks at a day before our time', () => {
	expect(firstState('p', 100_000)).toEqual({ purpose: 'p', upTo: 13_600, returned: [] });
});

test('the window begins some minutes before the time, and never before 1970', () => {
	expect(windowStart(10_000)).toBe(10_000 - OVERLAP);
	expect(windowStart(2)).toBe(0);
});

describe('what is given', () => {
	test.each([
		['not what was returned', group('a', 10_000), []],
		['another version in the same second', group('a', 10_000, 'other'), ['a']],
		['the same group later', group('a', 10_001), ['a']],
		['not an older state of what was returned', group('a', 9_999), []],
		['another group in the same second', group('b', 10_000), ['b']],
		['another group in the first second of the window', group('b', 9_700), ['b']],
		['not what is before the window', group('b', 9_699), []],
		['what is dated ahead', group('b', 90_000), ['b']],
		[
			'a GUID with the name of a property of all objects',
			group('__proto__', 10_000),
			['__proto__'],
		],
	])('is %s', (_, met, expected) => {
		expect(given(at10000, [met])).toEqual(expected);
		expect(given(after(at10000, [met]), [met])).toEqual([]);
	});

	test('is a group again whose date was ahead, when it is dated right', () => {
		const state = after(at10000, [group('b', NOW + 1)]);
		expect(given(state, [group('b', 10_001)])).toEqual(['b']);
		expect(given(after(at10000, [group('b', NOW)]), [group('b', 10_001)])).toEqual([]);
	});

	test('is the oldest first, and no more than is wanted', () => {
		const met = [group('d', 10_400), group('c', 10_300), group('b', 10_100), group('e', 10_400)];
		expect(given(at10000, met)).toEqual(['b', 'c', 'd', 'e']);
		const state = after(at10000, met, 3);
		expect(given(at10000, met, 3)).toEqual(['b', 'c', 'd']);
		expect(given(state, met, 3)).toEqual(['e']);
	});
});

describe('the time', () => {
	test.each([
		['follows what was given', [group('b', 10_001)], 10_001],
		['follows what was met again', [group('a', 10_000), group('b', 9_999)], 10_000],
		['is not set back', [group('b', 9_990)], 10_000],
		['follows up to our own time', [group('b', NOW)], NOW],
		['does not follow what is dated ahead', [group('b', 10_001), group('c', NOW + 1)], 10_001],
		['stays where nothing was met', [], 10_000],
	])('%s', (_, met, upTo) => {
		expect(after(at10000, met).upTo).toBe(upTo);
	});

	test('stays while something is left for the next poll', () => {
		expect(after(at10000, [group('b', 10_100), group('late', 10_300)], 1).upTo).toBe(10_000);
		const state = after(at10000, [group('b', 9_990), group('c', 9_995), group('a', 10_000)], 1);
		expect(state.upTo).toBe(10_000);
		expect(given(state, [group('c', 9_995)])).toEqual(['c']);
	});
});

describe('what is remembered', () => {
	test('is what can be met again: the last of each group', () => {
		const state = after(at10000, [group('a', 10_001), group('b', 10_400), group('far', 90_000)]);
		expect(state).toEqual({
			purpose: 'p',
			upTo: 10_400,
			returned: [
				['a', 10_001, '10001'],
				['b', 10_400, '10400'],
				['far', 90_000, '90000'],
			],
		});
		const names = after(state, []).returned.map(([guid]) => guid);
		expect(names).toEqual(['b', 'far']);
	});

	test('is a group without a time as long as the service lists it', () => {
		let state = after(at10000, [group('untimed', 9_700, 'x')]);
		for (const upTo of [10_500, 11_000, 11_500]) {
			const met = [group('untimed', windowStart(state.upTo), 'x'), group(`g${upTo}`, upTo)];
			expect(given(state, met)).toEqual([`g${upTo}`]);
			state = after(state, met);
		}
	});

	test('is plain JSON, and a state that can be used', () => {
		const state = after(at10000, [group('b', 10_001)]);
		expect(JSON.parse(JSON.stringify(state))).toEqual(state);
		expect(isState(state)).toBe(true);
	});
});

test.each([
	undefined,
	null,
	{},
	{ ...at10000, purpose: 1 },
	{ ...at10000, upTo: '10000' },
	{ ...at10000, upTo: null },
	{ ...at10000, returned: {} },
	{ ...at10000, returned: [null] },
	{ ...at10000, returned: [[1, 10_000, 'v']] },
	{ ...at10000, returned: [['a', null, 'v']] },
	{ ...at10000, returned: [['a', 10_000, null]] },
	{ purpose: 'p', cursor: { time: 10_000, seen: [] } },
])('%j is no state', (value) => {
	expect(isState(value)).toBe(false);
});

describe('what the app did', () => {
	const known: PollState = { ...at10000, returned: [['a', 10_000, '10000.x']] };

	test.each([
		['starts nothing when nothing but the time is new', '10050.x', true, []],
		['starts the workflow when the content is new', '10050.y', true, ['a']],
		['starts the workflow when a user did it', '10050.x', false, ['a']],
	])('%s', (_, version, byApp, guids) => {
		const step = after(known, [group('a', 10_050, version, byApp)]);
		expect(given(known, [group('a', 10_050, version, byApp)])).toEqual(guids);
		expect(step.returned).toEqual([['a', 10_050, version]]);
	});

	test('a group that is new to us, or has no content in its version, is given', () => {
		expect(given(known, [group('b', 10_050, '10050.x', true)])).toEqual(['b']);
		expect(given(at10000, [group('a', 10_050, '10050', true)])).toEqual(['a']);
	});
});

test('of a list of several pages the time goes no further than where two reads agree', () => {
	const step = (state: PollState, met: Dated[]) =>
		nextStep(state, { groups: met, isOnePage: false }, 100, NOW);
	const first = step(at10000, [group('c', 12_000), group('b', 11_000), group('a', 10_000)]);
	expect(first.groups.map(({ id }) => id)).toEqual(['b', 'c']);
	expect(first.state.upTo).toBe(11_000);
	// What had slipped through shows up, and then all is known
	const second = step(first.state, [group('c', 12_000), group('d', 11_500), group('b', 11_000)]);
	expect(second.groups.map(({ id }) => id)).toEqual(['d']);
	expect(second.state.upTo).toBe(11_500);
	expect(step(second.state, [group('c', 12_000), group('d', 11_500)]).state.upTo).toBe(12_000);
});
