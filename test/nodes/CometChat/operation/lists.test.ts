import type { IDataObject } from 'n8n-workflow';

import { List, idOf } from '../../../../nodes/CometChat/operation/lists';
import type { ListPage } from '../../../../nodes/CometChat/operation/lists';
import type { Entity, Values } from '../../../../nodes/CometChat/operation/types';
import { callOf, thingsOf } from './call';

const thing: Entity = {
	name: 'thing',
	plural: 'things',
	id: 'id',
	columns: { id: ({ id }) => id, kind: () => 'thing' },
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

describe('the results of pages', () => {
	let read = 0;

	async function* pages(list: List, ...all: IDataObject[string][][]): AsyncGenerator<ListPage> {
		read = 0;
		for (const ids of all) {
			read++;
			const page = { data: things(...ids) };
			yield { page, fresh: list.freshOf(page.data) };
		}
	}

	const resultsOf = async (values: Values, ...all: IDataObject[string][][]) => {
		const list = listOf(values);
		return await thingsOf(list.results(pages(list, ...all)));
	};

	test('are their items in the shape that is wanted, each once, up to the limit', async () => {
		const all = [['a', 'b'], ['b', 'c'], ['d', 'e'], ['f']];
		expect(await resultsOf({ limit: 4 }, ...all)).toEqual(things('a', 'b', 'c', 'd'));
		expect(read).toBe(3);
		expect(await resultsOf({ limit: 2, output: 'simplified' }, ...all)).toEqual(
			['a', 'b'].map((id) => ({ id, kind: 'thing' })),
		);
		expect(read).toBe(1);
	});

	test('are the pages as they came, as many as the limit needs', async () => {
		const all = [['a', 'b'], ['b', 'c'], ['d']];
		const values = { limit: 3, output: 'pages' };
		expect(await resultsOf(values, ...all)).toEqual(
			all.slice(0, 2).map((ids) => ({ data: things(...ids) })),
		);
	});

	test('are one empty page where there is nothing, and none after others', async () => {
		const values = { returnAll: true, output: 'pages' };
		expect(await resultsOf(values, [])).toEqual([{ data: [] }]);
		expect(await resultsOf(values, ['a'], [])).toEqual([{ data: things('a') }]);
	});
});
