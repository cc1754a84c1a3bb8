import type { INodeParameters } from 'n8n-workflow';

import type { Sandbox } from '../../tools/sandbox/server';
import { call, listOf } from '../sandbox/client';
import { hintsOf, itemsOf, jsonOf, list, run, useSandbox } from './harness';

const sandbox = useSandbox();
const large = useSandbox({ groups: 1_100 });

/** Fetches all groups directly from the service, without the node. */
async function fetchGroups(service: Sandbox, query = '', as?: string): Promise<object[]> {
	const all: object[] = [];
	for (let page = 1; ; page++) {
		const path = `/groups?perPage=500&page=${page}${query && `&${query}`}`;
		const { data } = listOf(await call(service, path, { as }));
		if (data.length === 0) return all;
		all.push(...data);
	}
}

test('List sends all its parameters', async () => {
	const searchKey = 'ü & a+b=c/100%?#😀';
	const parameters = list({
		limit: 50,
		onBehalfOf: 'mira',
		filters: {
			searchKey,
			searchIn: ['name', 'guid'],
			types: ['public', 'private'],
			tags: ['company', 'two words', 'R&D'],
			withTags: true,
			hasJoined: true,
			updatedAt: 1_700_000_000,
			affix: 'prepend',
		},
		sort: { sortBy: 'createdAt', sortOrder: 'desc' },
		options: { page: 2, perPage: 7 },
	});
	await itemsOf(sandbox(), parameters);
	const [{ query, url, headers }, ...others] = sandbox().log;
	expect(query).toEqual({
		searchKey,
		searchIn: 'name,guid',
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

test('Return All sends the same filters, order and user for each page', async () => {
	const parameters = list({
		returnAll: true,
		onBehalfOf: 'mira',
		filters: { types: ['private', 'protected'], withTags: true, searchKey: 'generated' },
		sort: { sortBy: 'name', sortOrder: 'desc' },
		options: { perPage: 100 },
	});
	const items = await jsonOf(large(), parameters);
	const sent = large().log.map(({ query, headers }) => ({ ...query, as: headers.onbehalfof }));
	const query = {
		...{ types: 'private,protected', withTags: 'true', searchKey: 'generated' },
		...{ sortBy: 'name', sortOrder: 'desc' },
	};
	expect(items).toEqual(await fetchGroups(large(), new URLSearchParams(query).toString(), 'mira'));
	const pages = Math.ceil(items.length / 100);
	expect(pages).toBeGreaterThan(2);
	expect(sent).toEqual(
		Array.from({ length: pages }, (_, index) => ({
			...query,
			...{ page: String(index + 1), perPage: '100', as: 'mira' },
		})),
	);
});

test.each(['={{ $json.all }}', '={{ "true" }}'])(
	'Return All accepts the expression %s',
	async (returnAll) => {
		const parameters = list({ returnAll, limit: 5 });
		const items = await itemsOf(sandbox(), parameters, { input: [{ all: true }] });
		expect(items.length).toBe(sandbox().store.groups.count);
	},
);

test('Return All, Limit and filters can differ between items', async () => {
	const parameters = list({
		returnAll: '={{ $json.all }}',
		limit: '={{ $json.limit }}',
		filters: { type: '={{ $json.type }}' },
	});
	const input = [
		{ all: false, limit: 2, type: 'public' },
		{ all: true, limit: 1, type: 'password' },
		{ all: false, limit: '3', type: 'private' },
	];
	const items = await itemsOf(sandbox(), parameters, { input });
	const counts = [2, (await fetchGroups(sandbox(), 'type=password')).length, 3];
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual(
		counts.flatMap((count, item) => Array(count).fill({ item })),
	);
});

test("'Page' selects the first page", async () => {
	const options = { page: 3, perPage: 10 };
	const items = await jsonOf(sandbox(), list({ limit: 15, options }));
	expect(sandbox().log.map(({ query }) => query.page)).toEqual(['3', '4']);
	expect(items).toEqual((await fetchGroups(sandbox())).slice(20, 35));
});

test.each<[INodeParameters[string], string[]]>([
	[['guid', 'data.txt'], ["No item has the field 'data.txt'"]],
	[['a', 'b.c'], ["No item has the fields 'a', 'b.c'"]],
	[['tags'], []],
	['={{ $json.name }}', ["No item has the field 'nme'"]],
])('A hint lists selected fields that no item has: %j', async (fields, hints) => {
	const input = [{ name: 'name' }, { name: 'nme' }];
	const result = await run(sandbox(), list({ output: 'fields', fields }), { input });
	expect(hintsOf(result)).toEqual(hints);
});
