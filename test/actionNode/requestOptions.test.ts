import {
	AS_TOOL,
	CONTINUE,
	NODE,
	TO_ERROR_OUTPUT,
	get,
	message,
	refusalOf,
	run,
	useSandbox,
} from './harness';

const sandbox = useSandbox();

test.each([
	[{ timeout: 0 }, "'Timeout' must be a whole number from 1 to 2147483647, but it is 0"],
	[{ timeout: 'long' }, `'Timeout' must be a whole number from 1 to 2147483647, but it is "long"`],
	[{ maxTries: 0 }, "'Retry Attempts' must be a whole number from 1 to 100, but it is 0"],
	[
		{ maxWait: -1 },
		"'Longest Retry Wait (Seconds)' must be a whole number from 0 to 86400, but it is -1",
	],
])('The Request Options %j are rejected, and nothing is sent', async (requestOptions, expected) => {
	for (const settings of [{}, AS_TOOL]) {
		const error = await refusalOf(sandbox(), get('101', { requestOptions }), { settings });
		expect(error.message).toContain(expected);
	}
});

test('An empty expression in Request Options is rejected, except in a tool', async () => {
	const parameters = get('101', { requestOptions: { timeout: '={{ $json.nothing }}' } });
	expect((await refusalOf(sandbox(), parameters)).message).toContain("'Timeout' is empty");
	const { error } = await run(sandbox(), parameters, { settings: AS_TOOL });
	expect(error).toBeUndefined();
});

test.each([
	[CONTINUE, 0],
	[TO_ERROR_OUTPUT, 1],
])('With %j, Request Options with a broken expression fail each item', async (setup, output) => {
	const parameters = message('delete', {
		messageId: '={{ $json.id }}',
		requestOptions: { timeout: '={{ $("Nowhere").item.json.ms }}' },
	});
	const input = [{ id: 101 }, { id: 102 }];
	const { items, error } = await run(sandbox(), parameters, { input, ...setup });
	expect(error).toBeUndefined();
	expect(items(NODE, output).map(({ json, pairedItem }) => [json.error, pairedItem])).toEqual(
		[0, 1].map((item) => [expect.stringContaining("Referenced node doesn't exist"), { item }]),
	);
	expect(sandbox().log).toEqual([]);
});
