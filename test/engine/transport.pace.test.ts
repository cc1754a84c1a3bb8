import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { NODE, errorOf, get, itemsOf, run, useSandbox } from './harness';

const sandbox = useSandbox();

/** Input for so many Get items, over the sample messages in turn. */
function messages(count: number) {
	const ids = sandbox()
		.store.messages()
		.map(({ id }) => id);
	return Array.from({ length: count }, (_, index) => ({ id: ids[index % ids.length] }));
}

const GET_EACH = get('={{ $json.id }}');

const batching = (batchSize: number, batchInterval: number) => ({
	requestOptions: { batching: { batch: { batchSize, batchInterval } } },
});

describe('the requests of many items', () => {
	test('are sent at most 60 at once, over at most 64 connections, and answered in order', async () => {
		sandbox().setFaults([{ effect: { latency: { ms: 20, jitterMs: 40 } } }]);
		const input = messages(500);
		const items = await itemsOf(sandbox(), GET_EACH, { input });
		expect(items.map(({ json }) => json.id)).toEqual(input.map(({ id }) => id));
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(input.map((_, item) => ({ item })));
		const { requests, peakInFlight, peakConnections } = sandbox().stats;
		expect(requests).toBe(500);
		expect(peakInFlight).toBeLessThanOrEqual(60);
		expect(peakInFlight).toBeGreaterThan(24);
		expect(peakConnections).toBeLessThanOrEqual(64);
	});

	test('are not held up by a slow one', async () => {
		const slow = '116';
		sandbox().setFaults([
			{ match: { path: `/v3/messages/${slow}` }, effect: { latency: { ms: 1_500 } } },
			{ effect: { latency: { ms: 5 } } },
		]);
		const others = messages(250).filter(({ id }) => id !== slow);
		const input = [{ id: slow }, ...others];
		const items = await itemsOf(sandbox(), GET_EACH, { input });
		expect(items.map(({ json }) => json.id)).toEqual(input.map(({ id }) => id));
		const [first, ...rest] = sandbox().log;
		expect(first.path).toBe(`/v3/messages/${slow}`);
		// Waiting in line behind it, only the 47 that were sent along with it could have come
		expect(rest.filter(({ at }) => at < first.at + first.ms).length).toBeGreaterThan(96);
	});

	test('go on after an item that fails under "Continue", each item in its place', async () => {
		const input = messages(60);
		input[7] = { id: 'absent' };
		const items = (
			await run(sandbox(), GET_EACH, { input, onError: 'continueRegularOutput' })
		).items(NODE);
		expect(items).toHaveLength(60);
		expect(items[7].json.error).toMatch(/^No message has this ID/);
		expect(items[7].pairedItem).toEqual({ item: 7 });
		expect(items[59]).toMatchObject({ json: { id: input[59].id }, pairedItem: { item: 59 } });
	});

	test('end with an item that fails when the workflow is to stop', async () => {
		sandbox().setFaults([
			{ match: { path: '/v3/messages/absent' }, effect: { latency: { ms: 1 } } },
			{ match: { path: '^/v3/messages/[0-9]' }, effect: { latency: { ms: 300 } } },
		]);
		const input = messages(500);
		input[3] = { id: 'absent' };
		const { message, context } = await errorOf(sandbox(), GET_EACH, { input });
		expect(message).toMatch(/^No message has this ID/);
		expect(context).toMatchObject({ itemIndex: 3 });
		// Those that were under way, and one that had taken the place of the failed one
		expect(sandbox().log.length).toBeLessThanOrEqual(61);
	});
});

describe("n8n's Batching", () => {
	test('still spaces the requests', async () => {
		const parameters = { ...GET_EACH, ...batching(2, 800) };
		const from = Date.now();
		const items = await itemsOf(sandbox(), parameters, { input: messages(6) });
		expect(items).toHaveLength(6);
		// On a busy machine requests come late, never early
		const [, , third, , fifth, sixth] = sandbox().log.map(({ at }) => at - from);
		expect(third).toBeGreaterThanOrEqual(799);
		expect(fifth).toBeGreaterThanOrEqual(1_599);
		expect(sixth).toBeLessThan(5 * 800);
	});

	const scenarios = ['stop', 'continue', 'cancel'];
	test.each(
		scenarios.flatMap((name) => [
			[name, 'node'],
			[name, 'tool'],
		]),
	)(
		'leaves no rejected promise unhandled when an early item fails (%s, as a %s)',
		async (scenario, runner) => {
			const child = join(__dirname, 'transport.batching.child.ts');
			const { stdout } = await promisify(execFile)(
				process.execPath,
				['--import', 'tsx', child, sandbox().baseUrl, sandbox().apiKey, scenario, runner],
				{ cwd: join(__dirname, '../..') },
			);
			const told: unknown = JSON.parse(stdout);
			const outcomes: Record<string, object> = {
				stop: { unhandled: [], requests: 2, error: /^No message has this ID/ },
				continue: { unhandled: [], requests: 6, items: 6 },
				cancel: { unhandled: [], requests: 2 },
			};
			const { error, ...facts } = outcomes[scenario] as { error?: RegExp };
			expect(told).toMatchObject({
				...facts,
				...(error ? { error: expect.stringMatching(error) } : {}),
			});
		},
	);

	test('shows the error of an early item, and of the last one', async () => {
		const parameters = { ...GET_EACH, ...batching(1, 50) };
		for (const index of [0, 3]) {
			const input = messages(4);
			input[index] = { id: 'absent' };
			const { context } = await errorOf(sandbox(), parameters, { input });
			expect(context).toMatchObject({ itemIndex: index });
		}
	});

	test('does not wait for items that "Execute Once" leaves out', async () => {
		const parameters = { ...GET_EACH, ...batching(1, 60_000) };
		const input = messages(3);
		input[0] = { id: 'absent' };
		const { message } = await errorOf(sandbox(), parameters, {
			input,
			settings: { executeOnce: true },
		});
		expect(message).toMatch(/^No message has this ID/);
	});
});

describe("n8n's Retry on Fail", () => {
	const settings = { retryOnFail: true, maxTries: 2, waitBetweenTries: 100 };

	test('sends the only item again', async () => {
		sandbox().setFaults([{ match: { nth: [1] }, effect: { status: { status: 400 } } }]);
		expect(await itemsOf(sandbox(), GET_EACH, { input: messages(1), settings })).toHaveLength(1);
		expect(sandbox().log).toHaveLength(2);
	});

	test('sends all items again, although the first run was ended by one of them', async () => {
		sandbox().setFaults([{ match: { nth: [3] }, effect: { status: { status: 400 } } }]);
		const input = messages(120);
		const items = await itemsOf(sandbox(), GET_EACH, { input, settings });
		expect(items.map(({ json }) => json.id)).toEqual(input.map(({ id }) => id));
		expect(sandbox().log.length).toBeGreaterThanOrEqual(123);
	});

	test('is not held back by a rate limit of the first run', async () => {
		sandbox().setFaults([{ match: { nth: [1] }, effect: { tooManyRequests: { seconds: 3600 } } }]);
		expect(await itemsOf(sandbox(), GET_EACH, { input: messages(1), settings })).toHaveLength(1);
		expect(sandbox().log.map(({ status }) => status)).toEqual([429, 200]);
	});
});
