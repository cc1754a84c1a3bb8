import type { INodeParameters } from 'n8n-workflow';

import { AS_TOOL, NODE, callTool, errorOf, get, run, useSandbox } from './harness';
import { WAYS } from './operations';

const sandbox = useSandbox();

/** A resource and an operation that this version does not have, and what the error calls them. */
const UNKNOWN: Array<[string, INodeParameters, RegExp]> = [
	[
		'an operation of a newer version',
		{ resource: 'group', operation: 'archive', groupId: 'lunch' },
		/archive/,
	],
	['a resource of a newer version', { resource: 'call', operation: 'list' }, /call/],
	[
		"n8n's Custom API Call",
		{ resource: 'message', operation: '__CUSTOM_API_CALL__' },
		/custom.api.call/i,
	],
	[
		"n8n's Custom API Call as a resource",
		{ resource: '__CUSTOM_API_CALL__', operation: 'list' },
		/custom.api.call/i,
	],
	[
		'an operation by an expression',
		{ resource: 'message', operation: '={{ "archive" }}', messageId: '101' },
		/archive/,
	],
];

describe.each(WAYS)('What this version does not have is refused, through %s:', (_, settings) => {
	test.each(UNKNOWN)('%s', async (__, parameters, named) => {
		const { message } = await errorOf(sandbox(), parameters, { settings });
		expect(message).toMatch(named);
		expect(sandbox().log).toEqual([]);
	});

	test.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
		'for each item, with its pairing, on %s',
		async (onError) => {
			const result = await run(sandbox(), UNKNOWN[0][1], {
				input: [{ a: 1 }, { a: 2 }],
				onError,
				settings,
			});
			expect(result.error).toBeUndefined();
			const failed = result.items(NODE, onError === 'continueErrorOutput' ? 1 : 0);
			expect(failed.map(({ json, pairedItem }) => [json.error, pairedItem])).toEqual([
				[expect.stringContaining('archive'), { item: 0 }],
				[expect.stringContaining('archive'), { item: 1 }],
			]);
			expect(sandbox().log).toEqual([]);
		},
	);
});

describe("As an agent's tool, the node", () => {
	test('tells the agent what it does not have, and sends nothing', async () => {
		const [said] = await callTool(sandbox(), UNKNOWN[0][1], [{ input: 'x' }]);
		expect(said).toMatch(/^Error.*archive/);
		expect(sandbox().log).toEqual([]);
	});

	test('takes what the model fills in, and returns the item', async () => {
		const parameters = get("={{ $fromAI('id') }}", { output: 'fields', fields: ['id'] });
		const said = await callTool(sandbox(), parameters, [{ id: '101' }, { id: '102' }]);
		expect(said).toEqual(['[{"id":"101"}]', '[{"id":"102"}]']);
	});

	test('puts into the message of an error all there is to say: the agent sees no more', async () => {
		const credentials = { apiKey: 'wrong-key-0815', region: 'custom', baseUrl: sandbox().baseUrl };
		const setup = { credentials, settings: AS_TOOL };
		const error = await errorOf(sandbox(), get('101'), setup);
		expect(error.context).toMatchObject({ itemIndex: 0 });
		expect(error.message).toMatch(
			/^CometChat does not know this API key\. Check 'REST API Key'.* CometChat replied: The API key \*{10} does not exist/,
		);
		expect(JSON.stringify(error)).not.toContain('wrong-key-0815');
	});
});
