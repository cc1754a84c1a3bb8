import { AS_TOOL, NODE, errorOf, get, run, useSandbox } from './harness';

const sandbox = useSandbox();

describe.each([
	['the node', {}],
	['an agent', AS_TOOL],
])("n8n's Request Options, as %s", (_, settings) => {
	test('end a request that takes too long', async () => {
		sandbox().setFaults([{ effect: { latency: { ms: 600 } } }]);
		const parameters = get('101', {
			requestOptions: { timeout: 100 },
			options: { maxTries: 1 },
		});
		const { message, description } = await errorOf(sandbox(), parameters, { settings });
		expect(message).toMatch(/^CometChat did not respond in time/);
		expect(description).toMatch(/^Raise 'Timeout' under Settings → Request Options\. /);
	});
});

test('Request Options that n8n cannot resolve fail each item, and no input item passes as done', async () => {
	const parameters = {
		resource: 'message',
		operation: 'delete',
		messageId: '={{ $json.id }}',
		requestOptions: { timeout: '={{ $("Nowhere").item.json.ms }}' },
	};
	const input = [{ id: 101 }, { id: 102 }];
	for (const onError of ['continueRegularOutput', 'continueErrorOutput'] as const) {
		const { items, error } = await run(sandbox(), parameters, { input, onError });
		expect(error).toBeUndefined();
		const output = items(NODE, onError === 'continueErrorOutput' ? 1 : 0);
		expect(output.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
		for (const { json } of output) expect(json.error).toContain("Referenced node doesn't exist");
	}
	expect(sandbox().log).toHaveLength(0);
});
