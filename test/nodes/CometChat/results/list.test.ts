import type { IDataObject } from 'n8n-workflow';

import { List, idOf } from '../../../../nodes/CometChat/results/list';
import type { ListPage } from '../../../../nodes/CometChat/results/list';
import type { Entity, Values } from '../../../../nodes/CometChat/description/types';
import { callOf, thingsOf } from './call';

const thing: Entity = {
	name: 'thing',
	plural: 'things',
	id: 'id',
	columns: {},
};

const listOf = (values: Values) =>
	new List(
		thing,
		callOf(() => undefined, values),
	);

const things = (...ids: IDataObject[string][]) => ids.map((id) => ({ id }));

test.each([
	[{ id: 'a' }, 'a'],
	[{ id: 0 }, '0'],
	[{ id: null }, undefined],
	[{ id: { a: 1 } }, undefined],
	[{}, undefined],
])('the id of %j is %j', (item, id) => expect(idOf(item, 'id')).toBe(id));

test.each<[Values, number, number]>([
	[{ returnAll: false, limit: 7 }, 7, 7],
	[{ limit: 1_001 }, 1_001, 1_000],
	[{ limit: 7, options: { perPage: 3 } }, 7, 3],
	[{ returnAll: true }, Infinity, 1_000],
	// n8n hands 'Limit' over when 'Return All' is an expression
	[{ returnAll: true, limit: 7, options: { maxTries: 1 } }, Infinity, 1_000],
])('%j asks for so many items, so many a page', (values, limit, perPage) => {
	expect(listOf(values)).toMatchObject({ limit, perPage });
});

test.each([undefined, 0, 'many'])('a limit of %p is refused', (limit) => {
	expect(() => listOf({ limit })).toThrow("'Limit' must be a whole number of at least 1");
});

test('an item that came before is not fresh; one without an id cannot be told from others', () => {
	const list = listOf({ returnAll: true });
	expect(list.freshOf(things('a', 5, 'a'))).toEqual(things('a', 5));
	expect(list.freshOf(things('5', 'b', undefined, undefined))).toEqual(
		things('b', undefined, undefined),
	);
	expect(list.freshOf(things(null))).toEqual(things(null));
	expect(list.count).toBe(6);
});

test('pages are as they came, as many as the limit needs, and an empty one only where there is nothing', async () => {
	const resultsOf = async (limit: number, ...all: string[][]) => {
		const list = listOf({ limit, output: 'pages' });
		async function* pages(): AsyncGenerator<ListPage> {
			for (const ids of all)
				yield { page: { data: things(...ids) }, fresh: list.freshOf(things(...ids)) };
		}
		const results = await thingsOf(list.results(pages()));
		return results.map(({ data }) => Object(data).length);
	};
	expect(await resultsOf(3, ['a', 'b'], ['b', 'c'], ['d'])).toEqual([2, 2]);
	expect(await resultsOf(4, ['a', 'b'], [])).toEqual([2]);
	expect(await resultsOf(4, [])).toEqual([0]);
});
