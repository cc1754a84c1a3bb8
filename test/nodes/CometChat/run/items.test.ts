import type { IHttpRequestOptions, INodeParameters } from 'n8n-workflow';

import { customOperation } from '../../../../nodes/CometChat/run/items';
import { MAX_IN_FLIGHT, RequestLimiter } from '../../../../nodes/CometChat/transport/limiter';
import {
	KEY,
	answering,
	operationOf,
	runContextOf,
	type ContextOptions,
	type InMemory,
} from '../context';

const get = operationOf('message', 'get');

const credentials = { apiKey: KEY, region: 'us', appId: 'app' };

const indexOf = ({ url }: IHttpRequestOptions) => Number(url.split('/')[2]);

const echo: InMemory = (request) => ({ data: { id: indexOf(request) } });

const notFound = { statusCode: 404 };

const never = new Promise(() => {});

const contextOf = (respond: InMemory, count: number, more: Partial<ContextOptions> = {}) =>
	answering(
		runContextOf({
			credentials,
			count,
			...more,
			parameters: {
				resource: 'message',
				operation: 'get',
				messageId: '={{ $json.i }}',
				...more.parameters,
			},
		}),
		respond,
	);

const run = async (respond: InMemory, count: number, more?: Partial<ContextOptions>) =>
	await customOperation(get).call(contextOf(respond, count, more));

const errorOf = async (result: Promise<unknown>): Promise<Error & { description?: string }> =>
	await result.then(
		() => new Error('nothing failed'),
		(error: Error) => error,
	);

afterEach(() => jest.restoreAllMocks());

test('so many items are under way at once, and more are started when fewer than half of them are', async () => {
	const waiting: Array<() => void> = [];
	const context = contextOf(async (request) => {
		await new Promise<void>((resolve) => waiting.push(resolve));
		return await echo(request);
	}, 400);
	const started = jest.spyOn(context, 'getCredentials');
	const result = customOperation(get).call(context);
	const settled = async () => {
		for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
	};
	await settled();
	expect(started).toHaveBeenCalledTimes(3 * MAX_IN_FLIGHT);
	let done = 0;
	for (; started.mock.calls.length === 3 * MAX_IN_FLIGHT; done++) {
		waiting.shift()?.();
		await settled();
	}
	expect(done).toBe(1.5 * MAX_IN_FLIGHT + 1);
	const release = setInterval(() => waiting.splice(0).forEach((resolve) => resolve()));
	expect((await result)[0]).toHaveLength(400);
	clearInterval(release);
});

describe('The error of a run that stopped', () => {
	test('is that of the first that failed, and says how far the others came', async () => {
		// A change that is under way when the run stops has five seconds to finish
		const timeout = jest.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
			const controller = new AbortController();
			if (ms === 5_000) setImmediate(() => controller.abort());
			return controller.signal;
		});
		const respond: InMemory = async (request) => {
			const index = indexOf(request);
			if (index === 2) return await never;
			if (index !== 1 && index !== 5) return await echo(request);
			for (let turn = 0; turn < 10 + index; turn++) await Promise.resolve();
			return notFound;
		};
		const parameters: INodeParameters = {
			operation: 'removeReaction',
			// The last two wait for the third
			messageId: '={{ $json.i > 5 ? 2 : $json.i }}',
			reaction: 'a',
			onBehalfOf: 'ann',
		};
		const context = contextOf(respond, 8, { parameters });
		const error = await errorOf(
			customOperation(operationOf('message', 'removeReaction')).call(context),
		);
		expect(error).toMatchObject({
			message: 'CometChat found nothing at this address',
			context: { itemIndex: 1 },
		});
		expect(error.description).toMatch(
			/ Items 0 and 3 to 4 were carried out\. Item 2 was perhaps carried out\. Item 5 was not carried out either\. Items 6 to 7 were not started\. \(n8n counts items from 0\.\)$/,
		);
		expect(timeout).toHaveBeenCalledWith(5_000);
	});

	test('names ten ranges, and the number of the others', async () => {
		const upTo = async (last: number) => {
			const respond: InMemory = async (request) => {
				const index = indexOf(request);
				if (index < last) return index % 2 ? await never : await echo(request);
				for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
				return notFound;
			};
			return (await errorOf(run(respond, last + 1))).description;
		};
		expect(await upTo(23)).toMatch(
			/ Items 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, and others were carried out\. Items 1, .*, 19, and others/,
		);
		expect(await upTo(20)).toContain(
			' Items 0, 2, 4, 6, 8, 10, 12, 14, 16, and 18 were carried out. ',
		);
	});
});

describe("n8n's Batching", () => {
	const batching = (batchSize: number, batchInterval: number) => ({
		parameters: { requestOptions: { batching: { batch: { batchSize, batchInterval } } } },
	});

	test.each([
		[2, 70, [70, 70]],
		[1, 70, [70, 70, 70, 70]],
		[5, 70, []],
		[2, 0, []],
	])('of %i with an interval of %i ms pauses between the batches', async (size, ms, pauses) => {
		const wait = jest.spyOn(RequestLimiter.prototype, 'wait').mockResolvedValue();
		expect((await run(echo, 5, batching(size, ms)))[0]).toHaveLength(5);
		expect(wait.mock.calls).toEqual(pauses.map((pause) => [pause]));
	});
});
