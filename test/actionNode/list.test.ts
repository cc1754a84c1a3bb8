import type { INodeParameters } from 'n8n-workflow';

import type { Sandbox } from '../../tools/sandbox/server';
import { call, listOf } from '../sandbox/client';
import {
	errorOf,
	hintsOf,
	itemsOf,
	jsonOf,
	list,
	message,
	refusalOf,
	run,
	useSandbox,
	wire,
} from './harness';
import { json, withRecorder, type Reply } from './recorder';

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

const guidsOf = (items: object[]) => items.map((item) => (item as { guid: string }).guid);

/** Responds with pages of groups. Each page has the given items and pagination. */
const pagesOf =
	(...pages: Array<[guids: string[], pagination?: object]>): Reply =>
	(response, { url }) => {
		const page = Number(new URLSearchParams(url.split('?')[1]).get('page'));
		const [guids, pagination] = pages[page - 1] ?? [[]];
		const data = guids.map((guid) => ({ guid, name: guid }));
		json(response, 200, { data, meta: pagination ? { pagination } : {} });
	};

describe('Page', () => {
	test('selects the first page, whose size is Per Page', async () => {
		const options = { page: 3, perPage: 10 };
		const items = await jsonOf(sandbox(), list({ limit: 15, options }));
		expect(sandbox().log.map(({ query }) => query.page)).toEqual(['3', '4']);
		expect(items).toEqual((await fetchGroups(sandbox())).slice(20, 35));
	});

	test('counts pages of the Limit without Per Page', async () => {
		const items = await jsonOf(sandbox(), list({ limit: 10, options: { page: 2 } }));
		expect(wire(sandbox())).toEqual(['GET /groups?page=2&perPage=10']);
		expect(items).toEqual((await fetchGroups(sandbox())).slice(10, 20));
	});

	test.each([true, '={{ true }}'])('is ignored if Return All is %j', async (returnAll) => {
		const items = await jsonOf(sandbox(), list({ returnAll, options: { page: 2 } }));
		expect(guidsOf(items)).toEqual(guidsOf(await fetchGroups(sandbox())));
	});

	test('requires Per Page if the Limit is larger than a page can be', async () => {
		const parameters = list({ limit: 1_001, options: { page: 2 } });
		const { message: sentence } = await refusalOf(sandbox(), parameters);
		expect(sentence).toBe("'Per Page' is empty, but 'Page' requires it if 'Limit' is above 1,000");
		expect(await itemsOf(sandbox(), list({ limit: 1_001, options: { page: 1 } }))).toHaveLength(46);
	});

	test.each<[string, INodeParameters, string[]]>([
		[
			'the Limit is smaller than the page',
			{ limit: 3, options: { page: 2, perPage: 10 } },
			['Limit left out 7 of the groups on page 2. Set Limit to a multiple of Per Page.'],
		],
		['the page is complete', { limit: 10, options: { page: 2, perPage: 10 } }, []],
		['no page was chosen', { limit: 3, options: { perPage: 10 } }, []],
		[
			'the page does not exist',
			{ limit: 10, options: { page: 9 } },
			['Page 9 is beyond the last page'],
		],
	])('leads to a hint if %s', async (_, more, hints) => {
		expect(hintsOf(await run(sandbox(), list(more)))).toEqual(hints);
	});

	test('leads to no hint if it is empty, but a later page is not', async () => {
		const pagination = { total: 12, total_pages: 6 };
		const reply = pagesOf([['a', 'b'], pagination], [[], pagination], [['c', 'd'], pagination]);
		await withRecorder(reply, async (recorder) => {
			const result = await run(recorder, list({ limit: 2, options: { page: 2 } }));
			expect(guidsOf(result.items('CometChat').map((item) => item.json))).toEqual(['c', 'd']);
			expect(hintsOf(result)).toEqual([]);
		});
	});
});

describe('Return All', () => {
	test('continues after a full page whose total_pages is the current page, without a total', async () => {
		sandbox().setSettings({ totalPages: 'next', totalShown: 'missing', totalPagesShown: 'asked' });
		const items = await jsonOf(sandbox(), list({ returnAll: true, options: { perPage: 23 } }));
		expect(items).toHaveLength(46);
	});

	const all = list({ returnAll: true, options: { perPage: 2 } });

	test.each<[string, Reply, string[]]>([
		[
			'passes over empty pages while CometChat promises more',
			pagesOf(
				[['a', 'b'], { total: 12, total_pages: 6 }],
				...Array.from({ length: 3 }, (): [string[], object] => [[], { total: 12, total_pages: 6 }]),
				[['c'], { total: 12, total_pages: 6 }],
				[['d'], { total: 12, total_pages: 6 }],
			),
			['a', 'b', 'c', 'd'],
		],
		[
			'ends at a short page that comes again, if CometChat ignores page numbers',
			(response) => json(response, 200, { data: [{ guid: 'a' }], meta: {} }),
			['a'],
		],
	])('%s', async (_, reply, expected) => {
		await withRecorder(reply, async (recorder) => {
			expect(guidsOf(await jsonOf(recorder, all))).toEqual(expected);
		});
	});

	test('fails after more than three empty pages in a row', async () => {
		const empty: [string[], object] = [[], { total: 99, total_pages: 50 }];
		const reply = pagesOf([['a', 'b'], { total: 99, total_pages: 50 }], ...Array(9).fill(empty));
		await withRecorder(reply, async (recorder) => {
			const { message: sentence } = await errorOf(recorder, all);
			expect(sentence).toBe('CometChat sent nothing new, so the list stopped after 2 groups');
		});
	});

	test('hints at missing groups if groups are deleted while the list is read', async () => {
		const reply = pagesOf(
			[['a', 'b'], { total: 5, total_pages: 3 }],
			[['d', 'e'], { total: 4, total_pages: 2 }],
		);
		await withRecorder(reply, async (recorder) => {
			expect(hintsOf(await run(recorder, all))).toEqual([
				'Some groups were deleted while the list was read, so others may be missing. Run the node again to get all of them.',
			]);
		});
	});
});

test('Messages are sorted by time, then by ID', async () => {
	const data = [
		{ id: '7', sentAt: 30 },
		{ id: '9', sentAt: 10 },
		{ id: '10', sentAt: 20 },
		{ id: '8', sentAt: 20 },
	];
	const reply: Reply = (response) => json(response, 200, { data, meta: {} });
	await withRecorder(reply, async (recorder) => {
		const parameters = message('list', { groupId: 'lunch', limit: 4 });
		expect((await jsonOf(recorder, parameters)).map(({ id }) => id)).toEqual(['7', '10', '8', '9']);
	});
});

test.each<[INodeParameters[string], string[]]>([
	[['guid', 'data.txt'], ["No item has the field 'data.txt'"]],
	[['joinedAt', 'hasJoined'], []],
	[['a', 'b.c'], ["No item has the fields 'a', 'b.c'"]],
	[['tags'], []],
	['={{ $json.name }}', ["No item has the field 'nme'. Did you mean 'name'?"]],
	[['Name', 'ownr'], ["No item has the fields 'Name', 'ownr'. Did you mean 'name', 'owner'?"]],
	[['guid, name', 'type , owner'], []],
])('A hint lists selected fields that no item has: %j', async (fields, hints) => {
	const input = [{ name: 'name' }, { name: 'nme' }];
	const result = await run(sandbox(), list({ output: 'fields', fields }), { input });
	expect(hintsOf(result)).toEqual(hints);
});
