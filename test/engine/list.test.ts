import type { INodeParameters } from 'n8n-workflow';

import type { Sandbox } from '../../tools/sandbox/server';
import type { Views } from '../../tools/sandbox/views';
import { call, listOf } from '../sandbox/client';
import { NODE, itemsOf, jsonOf, list, run, useSandbox } from './harness';

const sandbox = useSandbox();
const large = useSandbox({ groups: 1_100 });

/** All groups of a query, in the service's order, asked for without n8n. */
async function fetchAll(
	service: Sandbox,
	query = '',
	as?: string,
): Promise<Array<ReturnType<Views['group']>>> {
	const all: Array<ReturnType<Views['group']>> = [];
	for (let page = 1; ; page++) {
		const path = `/groups?perPage=500&page=${page}${query && `&${query}`}`;
		const { data } = listOf(await call(service, path, { as }));
		if (data.length === 0) return all;
		all.push(...data);
	}
}

describe('The query of List', () => {
	test('carries all thirteen parameters with exactly their values', async () => {
		await itemsOf(
			sandbox(),
			list({
				limit: 50,
				onBehalfOf: 'mira',
				filters: {
					searchKey: 'ü & a+b=c/100%?#😀',
					searchIn: ['name', 'guid'],
					type: 'public',
					types: ['public', 'private'],
					tags: ['company', 'two words', 'R&D'],
					withTags: true,
					hasJoined: true,
					updatedAt: 1_700_000_000,
					affix: 'prepend',
				},
				sort: { sortBy: 'createdAt', sortOrder: 'desc' },
				options: { page: 2, perPage: 7 },
			}),
		);
		const [{ query, url, headers }, ...others] = sandbox().log;
		expect(query).toEqual({
			searchKey: 'ü & a+b=c/100%?#😀',
			searchIn: 'name,guid',
			type: 'public',
			types: 'public,private',
			tags: 'company,two words,R&D',
			withTags: 'true',
			hasJoined: 'true',
			updatedAt: '1700000000',
			affix: 'prepend',
			sortBy: 'createdAt',
			sortOrder: 'desc',
			page: '2',
			perPage: '7',
		});
		expect(url).toMatch(/^\/v3\/groups\?[\w.~!*'():@$,;+&=%/[\]-]+$/);
		expect(headers.onbehalfof).toBe('mira');
		expect(others).toEqual([]);
		expect(sandbox().violations).toEqual([]);
	});
});

describe('Paging', () => {
	test('sends filters, sort and user on every page until the end', async () => {
		const items = await jsonOf(
			large(),
			list({
				returnAll: true,
				onBehalfOf: 'mira',
				filters: { types: ['private', 'protected'], withTags: true, searchKey: 'generated' },
				sort: { sortBy: 'name', sortOrder: 'desc' },
				options: { perPage: 100 },
			}),
		);
		const query = 'types=private,protected&withTags=true&searchKey=generated';
		expect(items).toEqual(await fetchAll(large(), `${query}&sortBy=name&sortOrder=desc`, 'mira'));
		const sent = large().log.filter(({ query: { perPage } }) => perPage === '100');
		expect(sent.length).toBe(Math.ceil(items.length / 100));
		expect(sent.length).toBeGreaterThan(2);
		sent.forEach(({ query: { page, ...rest }, headers }, index) => {
			expect(page).toBe(String(index + 1));
			expect(headers.onbehalfof).toBe('mira');
			expect(rest).toEqual({
				types: 'private,protected',
				withTags: 'true',
				searchKey: 'generated',
				sortBy: 'name',
				sortOrder: 'desc',
				perPage: '100',
			});
		});
	});

	test.each([
		['true, from the item', '={{ $json.all }}'],
		['true, as text', '={{ "true" }}'],
	])('Return All as an expression that returns %s fetches everything', async (_, returnAll) => {
		const items = await itemsOf(sandbox(), list({ returnAll, limit: 5 }), {
			input: [{ all: true }],
		});
		expect(items.length).toBe(sandbox().store.groups.count);
	});

	test('Return All, Limit and filters differ from item to item', async () => {
		const items = await itemsOf(
			sandbox(),
			list({
				returnAll: '={{ $json.all }}',
				limit: '={{ $json.limit }}',
				filters: { type: '={{ $json.type }}' },
			}),
			{
				input: [
					{ all: false, limit: 2, type: 'public' },
					{ all: true, limit: 1, type: 'password' },
					{ all: false, limit: '3', type: 'private' },
				],
			},
		);
		const counts = [0, 1, 2].map(
			(index) => items.filter(({ pairedItem }) => same(pairedItem, index)).length,
		);
		expect(counts).toEqual([2, (await fetchAll(sandbox(), 'type=password')).length, 3]);
	});

	const same = (pairedItem: unknown, index: number) =>
		JSON.stringify(pairedItem) === JSON.stringify({ item: index });

	test('Page is where it starts, counted in pages of Per Page', async () => {
		const options = { page: 3, perPage: 10 };
		const items = await jsonOf(sandbox(), list({ limit: 15, options }));
		expect(items).toEqual((await fetchAll(sandbox())).slice(20, 35));
		expect(
			sandbox()
				.log.slice(0, 2)
				.map(({ query }) => query.page),
		).toEqual(['3', '4']);
	});
});

describe('A hint', () => {
	test.each<[string, INodeParameters[string], string[]]>([
		['one field that no item has', ['guid', 'data.txt'], ["No item has the field 'data.txt'"]],
		['several of them', ['a', 'b.c'], ["No item has the fields 'a', 'b.c'"]],
		['a field that only some items have', ['tags'], []],
		[
			'a field that each input item calls otherwise',
			'={{ $json.name }}',
			["No item has the field 'nme'"],
		],
	])('names %s', async (_, fields, messages) => {
		const input = [{ name: 'name' }, { name: 'nme' }];
		const result = await run(sandbox(), list({ output: 'fields', fields }), { input });
		const [{ hints = [] }] = result.run.data.resultData.runData[NODE];
		expect(hints).toEqual(messages.map((message) => ({ message, location: 'outputPane' })));
	});
});
