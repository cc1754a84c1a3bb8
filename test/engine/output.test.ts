import type { INodeParameters } from 'n8n-workflow';

import { call, listOf } from '../sandbox/client';
import { NODE, errorOf, get, jsonOf, list, run, useSandbox } from './harness';

const sandbox = useSandbox();

describe('Output', () => {
	test.each([
		['only empty names', '={{ ["", " "] }}', "'Fields' is empty"],
		[
			'a name that reaches into JavaScript',
			['__proto__.polluted'],
			`'Fields' must not contain "__proto__.polluted"`,
		],
	])('Selected Fields with %s is refused before anything is sent', async (_, fields, problem) => {
		const { message } = await errorOf(sandbox(), list({ output: 'fields', fields }));
		expect(message.startsWith(problem)).toBe(true);
		expect(sandbox().log).toEqual([]);
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

test('Simplified tells of a group what the user is in it', async () => {
	const filters = { searchKey: 'project-aurora' };
	const parameters = list({ output: 'simplified', filters, onBehalfOf: 'priya' });
	expect(await jsonOf(sandbox(), parameters)).toMatchObject([
		{ guid: 'project-aurora', tags: 'project, release', hasJoined: true, scope: 'moderator' },
	]);
});

describe('Selected Fields', () => {
	test('takes names with dots and keeps where they were', async () => {
		const fields = ['id', 'data.text', 'data.entities.sender.entity.name', 'data.metadata'];
		const items = await jsonOf(sandbox(), get('101', { output: 'fields', fields }));
		expect(items).toEqual([
			{
				id: '101',
				data: {
					text: 'Did the samples arrive?',
					entities: { sender: { entity: { name: 'Mira Halden' } } },
					metadata: { priority: 'high', ticket: { id: 4711, tags: ['samples', 'lab'] } },
				},
			},
		]);
	});
});

describe('Raw', () => {
	test('passes on fields that nobody knows of', async () => {
		const group = { guid: 'g', extra: { deep: [1, null, 'ü'] }, empty: null };
		const body = { data: [group], meta: { pagination: { total_pages: 1 } } };
		sandbox().setFaults([{ effect: { status: { status: 200, body } } }]);
		expect(await jsonOf(sandbox(), list())).toEqual([group]);
	});
});

describe('Pages', () => {
	test.each(['meta', 'beside'] as const)(
		'returns each page in full, with the cursor where the service put it: %s',
		async (cursorPlace) => {
			sandbox().setSettings({ cursorPlace });
			const parameters = { returnAll: true, output: 'pages', options: { perPage: 20 } };
			const items = await jsonOf(sandbox(), list(parameters));
			const direct = await Promise.all(
				[1, 2, 3].map((page) => call(sandbox(), `/groups?perPage=20&page=${page}`)),
			);
			expect(items).toEqual(direct.map(listOf));
			expect(items.every((page) => 'meta' in page && 'data' in page)).toBe(true);
		},
	);

	test('returns as many pages as Limit needs', async () => {
		const parameters = { limit: 25, output: 'pages', options: { perPage: 10, page: 2 } };
		const items = await jsonOf(sandbox(), list(parameters));
		expect(items.map(({ meta }) => meta)).toMatchObject(
			[2, 3, 4].map((page) => ({ pagination: { current_page: page, count: 10 } })),
		);
	});

	test('returns the one empty page of a list without groups', async () => {
		const parameters = { output: 'pages', filters: { searchKey: 'no such group' } };
		const items = await jsonOf(sandbox(), list(parameters));
		expect(items).toEqual([
			listOf(await call(sandbox(), '/groups?searchKey=none-such&perPage=50')),
		]);
	});
});
