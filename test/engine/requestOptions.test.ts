import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { serve } from '../../tools/n8nEngine/serve';
import { AS_TOOL, NODE, errorOf, get, run, useSandbox } from './harness';

const sandbox = useSandbox();

describe.each([
	['the node', {}],
	['an agent', AS_TOOL],
])('Request Options, as %s', (_, settings) => {
	test('end a request that takes too long', async () => {
		sandbox().setFaults([{ effect: { latency: { ms: 600 } } }]);
		const parameters = get('101', { requestOptions: { timeout: 100, maxTries: 1 } });
		const { message, description } = await errorOf(sandbox(), parameters, { settings });
		expect(message).toMatch(/^CometChat did not respond in time/);
		expect(description).toMatch(
			/^Raise 'Timeout' under Settings → Request Options\. Try again later\. /,
		);
	});

	test.each([
		[{ timeout: 0 }, "'Timeout' must be a whole number from 1 to 2147483647, but it is 0"],
		[
			{ timeout: 2 ** 31 },
			"'Timeout' must be a whole number from 1 to 2147483647, but it is 2147483648",
		],
		[
			{ timeout: 'long' },
			`'Timeout' must be a whole number from 1 to 2147483647, but it is "long"`,
		],
		[
			{ maxWait: -1 },
			"'Longest Retry Wait (Seconds)' must be a whole number from 0 to 86400, but it is -1",
		],
	])('%j are refused before anything is sent', async (requestOptions, expected) => {
		const parameters = get('101', { requestOptions });
		const { message, description } = await errorOf(sandbox(), parameters, { settings });
		// An agent reads nothing but the message
		expect(`${message}. ${description}`).toContain(expected);
		expect(sandbox().log).toHaveLength(0);
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

test("requests go through the proxy that n8n's environment names", async () => {
	const asked: unknown[] = [];
	const proxy = await serve((request, response) => {
		asked.push(request.url);
		response.setHeader('content-type', 'application/json').end('{"data":{"id":"101"}}');
	});
	const child = join(__dirname, 'removals.child.ts');
	const { stdout } = await promisify(execFile)(
		process.execPath,
		['--import', 'tsx', child, sandbox().apiKey, 'http://sandbox/v3'],
		{ env: { ...process.env, HTTP_PROXY: proxy.url, NO_PROXY: '' } },
	).finally(async () => await proxy.close());
	expect(JSON.parse(stdout)).toEqual([null]);
	expect(asked).toEqual([`http://sandbox/v3/messages/101/reactions/${encodeURIComponent('👍')}`]);
});
