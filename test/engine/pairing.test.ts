import type { INodeExecutionData } from 'n8n-workflow';

import { call, listOf } from '../sandbox/client';
import { get, itemsOf, list, removeReaction, TRIGGER, useSandbox } from './harness';

const sandbox = useSandbox();

const pairing = (items: INodeExecutionData[]) => items.map(({ pairedItem }) => pairedItem);

/** How many groups a search finds, asked for without n8n. */
async function countOf(searchKey: string): Promise<number> {
	const path = `/groups?perPage=1000&searchKey=${encodeURIComponent(searchKey)}`;
	return listOf(await call(sandbox(), path)).data.length;
}

const SEARCHES = ['project', 'no such group', 'a', 'all-hands', 'team'];

describe('Every item names the input item it came from', () => {
	test('although the input items give different numbers of groups', async () => {
		const counts = await Promise.all(SEARCHES.map(countOf));
		expect(new Set(counts).size).toBeGreaterThan(2);
		expect(counts).toContain(0);
		const items = await itemsOf(
			sandbox(),
			list({
				returnAll: true,
				filters: { searchKey: '={{ $json.searchKey }}' },
				options: { perPage: 3 },
			}),
			{ input: SEARCHES.map((searchKey) => ({ searchKey })) },
		);
		expect(pairing(items)).toEqual(
			counts.flatMap((count, item) => Array.from({ length: count }, () => ({ item }))),
		);
	});

	test('although later requests are answered first', async () => {
		sandbox().setFaults([
			{ match: { path: '/v3/messages/101' }, effect: { latency: { ms: 60 } } },
			{ match: { path: '/v3/messages/102' }, effect: { latency: { ms: 30 } } },
		]);
		const items = await itemsOf(sandbox(), get('={{ $json.id }}'), {
			input: ['101', '102', '103'].map((id) => ({ id })),
		});
		expect(items.map(({ json, pairedItem }) => [json.id, pairedItem])).toEqual([
			['101', { item: 0 }],
			['102', { item: 1 }],
			['103', { item: 2 }],
		]);
	});

	test('for pages and for a removed reaction', async () => {
		const pages = list({ returnAll: true, output: 'pages', options: { perPage: 20 } });
		expect(pairing(await itemsOf(sandbox(), pages, { input: [{}, {}] }))).toEqual(
			[0, 0, 0, 1, 1, 1].map((item) => ({ item })),
		);
		const removal = removeReaction('108', '👍', '={{ $json.uid }}');
		const input = [{ uid: 'mira' }, { uid: 'priya' }];
		expect(pairing(await itemsOf(sandbox(), removal, { input }))).toEqual([
			{ item: 0 },
			{ item: 1 },
		]);
	});
});

describe('A node further down', () => {
	test('finds the input of the first node for each of its items', async () => {
		const input = [
			{ searchKey: 'project', id: '101' },
			{ searchKey: 'no such group', id: '102' },
			{ searchKey: 'all-hands', id: '103' },
		];
		const items = await itemsOf(
			sandbox(),
			list({ returnAll: true, filters: { searchKey: '={{ $json.searchKey }}' } }),
			{
				input,
				then: [
					{ name: 'Second', parameters: get(`={{ $('${TRIGGER}').item.json.id }}`) },
					{ name: 'Third', parameters: get(`={{ $('${TRIGGER}').item.json.id }}`) },
				],
			},
		);
		const [projects, , hands] = await Promise.all(
			input.map(async ({ searchKey }) => await countOf(searchKey)),
		);
		expect(items.map(({ json }) => json.id)).toEqual([
			...Array.from({ length: projects }, () => '101'),
			...Array.from({ length: hands }, () => '103'),
		]);
	});
});
