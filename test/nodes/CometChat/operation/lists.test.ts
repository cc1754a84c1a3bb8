import {
	DistinctItems,
	ListError,
	RepetitionCheck,
	count,
	idOf,
	tooManyItems,
} from '../../../../nodes/CometChat/operation/lists';
import type { ListPlan } from '../../../../nodes/CometChat/operation/lists';

const plan = (changes: Partial<ListPlan> = {}): ListPlan => ({
	plural: 'things',
	id: 'id',
	perPage: 10,
	limit: Infinity,
	maxItems: Infinity,
	...changes,
});

const things = (...ids: unknown[]) => ids.map((id) => ({ id }));

/** A list that notes what it keeps. */
function distinct(changes: Partial<ListPlan> = {}) {
	const items = new DistinctItems<{ id: unknown }>(plan(changes));
	const kept: unknown[] = [];
	return {
		items,
		kept,
		add: (...ids: unknown[]) =>
			items.add(things(...ids), (fresh) => kept.push(...fresh.map(({ id }) => id))),
	};
}

describe('idOf', () => {
	test.each([
		[{ id: 'a' }, 'a'],
		[{ id: 5 }, '5'],
		[{ id: '' }, ''],
		[{ id: 0 }, '0'],
		[{ id: null }, undefined],
		[{ id: { a: 1 } }, undefined],
		[{}, undefined],
	])('the id of %j is %j', (item, id) => expect(idOf(item, 'id')).toBe(id));
});

describe('DistinctItems', () => {
	test('keeps each item once, in order, over all pages', () => {
		const { add, kept } = distinct();
		expect(add('a', 'b', 'a')).toBe(true);
		expect(add('b', 'c')).toBe(true);
		expect(add('c', 'a')).toBe(false);
		expect(kept).toEqual(['a', 'b', 'c']);
	});

	test('takes an id as number and as text for the same', () => {
		const { add, kept } = distinct();
		add(5);
		expect(add('5')).toBe(false);
		expect(kept).toEqual([5]);
	});

	test('keeps every item that cannot be told from others', () => {
		const { add, kept } = distinct();
		expect(add(undefined, null)).toBe(true);
		expect(add(undefined)).toBe(true);
		expect(kept).toHaveLength(3);
	});

	test('keeps no more than are wanted, and then is complete', () => {
		const { add, kept, items } = distinct({ limit: 3 });
		add('a', 'b');
		expect(items.isComplete).toBe(false);
		add('b', 'c', 'd');
		expect(items.isComplete).toBe(true);
		expect(kept).toEqual(['a', 'b', 'c']);
	});

	test('keeps as many as n8n can take, and only then fails', () => {
		const { add, kept, items } = distinct({ maxItems: 3 });
		add('a', 'b', 'c');
		expect(add('c')).toBe(false);
		expect(items.isComplete).toBe(false);
		expect(() => add('c', 'd')).toThrow(ListError);
		expect(kept).toEqual(['a', 'b', 'c']);
	});

	test('does not fail when as many are wanted as n8n can take, or fewer', () => {
		const { add, kept } = distinct({ maxItems: 3, limit: 3 });
		add('a', 'b', 'c', 'd');
		expect(kept).toEqual(['a', 'b', 'c']);
	});

	test('fails when more are wanted than n8n can take, and there are more', () => {
		const { add, kept } = distinct({ maxItems: 3, limit: 4 });
		expect(() => add('a', 'b', 'c', 'd', 'e')).toThrow(ListError);
		expect(kept).toEqual(['a', 'b', 'c']);
	});
});

test('a list that is too long says how long, and what to set', () => {
	expect(tooManyItems(plan({ maxItems: 100_000 }))).toMatchObject({
		message:
			'The list has more than 100,000 things, which is more than an AI agent or this version of n8n can take as single items',
		description: "Set 'Limit', add a filter, or set 'Output' to 'Pages'.",
	});
});

describe('RepetitionCheck', () => {
	test('stops at the third page in a row that brings nothing new, and names them', () => {
		const check = new RepetitionCheck('things');
		check.add(true, 1);
		check.add(false, 2);
		check.add(false, 3);
		expect(() => check.add(false, 4)).toThrow(
			expect.objectContaining({
				constructor: ListError,
				message: 'CometChat sent the same things again on pages 2 to 4, so the list stopped',
				description: "Set 'Limit', or add a filter.",
			}),
		);
	});

	test('begins anew with every page that brings something', () => {
		const check = new RepetitionCheck('things');
		for (let number = 1; number < 30; number += 3) {
			check.add(false, number);
			check.add(false, number + 1);
			check.add(true, number + 2);
		}
	});
});

test('numbers are written as people read them', () => {
	expect(count(2_000_000)).toBe('2,000,000');
	expect(count(7)).toBe('7');
});
