import type { INodeParameters } from 'n8n-workflow';

import { NODE, get, jsonOf, list, run, useSandbox } from './harness';

const sandbox = useSandbox();

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
