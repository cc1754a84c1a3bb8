import type { INodeParameters } from 'n8n-workflow';

import {
	CONTINUE,
	NODE,
	TO_ERROR_OUTPUT,
	callTool,
	get,
	group,
	message,
	refusalOf,
	run,
	useSandbox,
} from './harness';
import { WAYS } from './operations';

const sandbox = useSandbox();

const NEWER = group('archive', { groupId: 'lunch' });

describe.each(WAYS)('Through %s, an unknown operation', (_, settings) => {
	test.each<[string, INodeParameters, RegExp]>([
		['of a newer version', NEWER, /archive/],
		['of a newer resource', { resource: 'call', operation: 'list' }, /call/],
		["as n8n's Custom API Call", message('__CUSTOM_API_CALL__'), /custom.api.call/i],
		[
			"of n8n's Custom API Call resource",
			{ resource: '__CUSTOM_API_CALL__', operation: 'list' },
			/custom.api.call/i,
		],
		[
			'from an expression',
			{ resource: 'message', operation: '={{ "archive" }}', messageId: '101' },
			/archive/,
		],
	])('%s is rejected', async (__, parameters, named) => {
		const error = await refusalOf(sandbox(), parameters, { settings });
		expect(error.message).toMatch(named);
	});

	test.each([
		[CONTINUE, 0],
		[TO_ERROR_OUTPUT, 1],
	])('fails each item with %j', async (setup, output) => {
		const input = [{ a: 1 }, { a: 2 }];
		const { items, error } = await run(sandbox(), NEWER, { input, settings, ...setup });
		expect(error).toBeUndefined();
		expect(items(NODE, output).map(({ json }) => json.error)).toEqual(
			input.map(() => expect.stringContaining('archive')),
		);
		expect(sandbox().log).toEqual([]);
	});
});

test("An agent's tool uses the model's arguments, and returns an item per call", async () => {
	const parameters = get("={{ $fromAI('id') }}", { output: 'fields', fields: ['id'] });
	const outputs = await callTool(sandbox(), parameters, [{ id: '101' }, { id: '102' }]);
	expect(outputs).toEqual(['[{"id":"101"}]', '[{"id":"102"}]']);
});
