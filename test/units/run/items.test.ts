import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { setTimeout as wait } from 'node:timers/promises';

import { buildCustomOperations } from '../../../nodes/CometChat/run/items';
import { createSendAndWaitRunner } from '../../../nodes/CometChat/sendAndWait/execute';
import { resources } from '../../../nodes/CometChat/resources';
import { KEY, createRunContext, mockRequests } from '../context';

const credentials = { apiKey: KEY, region: 'us', appId: 'app' };

const MESSAGE = { resource: 'message', operation: 'get', output: 'raw' };

/** Makes each item record its index once its parameters are read. */
function recordStarts(items: INodeExecutionData[]): Set<number> {
	const started = new Set<number>();
	for (const [index, { json }] of items.entries()) {
		const get = () => {
			started.add(index);
			return String(index + 1);
		};
		Object.defineProperty(json, 'i', { get });
	}
	return started;
}

/** Waits until no further items start. */
async function waitUntilIdle(started: ReadonlySet<number>): Promise<void> {
	for (let before = -1; before !== started.size;) {
		before = started.size;
		await wait(100);
	}
}

const start = async (context: IExecuteFunctions) =>
	await buildCustomOperations(resources, createSendAndWaitRunner).message?.get?.call(context);

test('has at most 2,000 items in progress', async () => {
	const { promise: answered, resolve: answer } = Promise.withResolvers<undefined>();
	const parameters = { ...MESSAGE, messageId: '={{ $json.i }}' };
	const context = createRunContext({ credentials, parameters, count: 2_030 });
	mockRequests(context, async () => {
		await answered;
		return { data: { id: '1' } };
	});
	const started = recordStarts(context.getInputData());
	const running = start(context);
	await waitUntilIdle(started);
	expect(started.size).toBe(2_000);
	answer(undefined);
	expect((await running)?.flat()).toHaveLength(2_030);
	expect(started.size).toBe(2_030);
});
