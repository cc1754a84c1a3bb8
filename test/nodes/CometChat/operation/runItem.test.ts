import type { INode, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import { getEventListeners } from 'node:events';

import { runItem } from '../../../../nodes/CometChat/operation/runItem';
import type { Template } from '../../../../nodes/CometChat/operation/runItem';
import type { Operation } from '../../../../nodes/CometChat/operation/types';
import { resources } from '../../../../nodes/CometChat/resources';
import { addMembers, list } from '../../../../nodes/CometChat/resources/group/operations';
import { get, removeReaction } from '../../../../nodes/CometChat/resources/message/operations';
import { MAX_IN_FLIGHT } from '../../../../nodes/CometChat/transport/limiter';
import { contextsOf, templateOf } from '../context';
import type { ContextOptions } from '../context';
import type { Reply, Service } from '../service';
import { KEY, cut, json, startService } from '../service';

let service: Service;

async function serving(...replies: Reply[]): Promise<void> {
	service = await startService(...replies);
}

afterEach(async () => await service.close());

const good = json(200, { data: { id: '5' } });

const bad = json(404, { error: { code: 'ERR_MESSAGE_ID_NOT_FOUND', message: 'Not there' } });

const removal: INodeParameters = { messageId: '5', reaction: 'a', onBehalfOf: 'ann' };

const getting: INodeParameters = { messageId: '5' };

const continuing: Partial<INode> = { onError: 'continueRegularOutput' };

interface Setup extends Partial<ContextOptions> {
	template?: Template['options'];
}

/** Where the node has an operation: n8n reads no parameter of another one. */
function placeOf(operation: Operation): INodeParameters {
	const resource = resources.find(({ operations }) => operations.includes(operation));
	if (resource === undefined) throw new Error(`No resource has ${operation.name}`);
	return { resource: resource.value, operation: operation.value };
}

const contexts = (operation: Operation, options: Partial<ContextOptions> = {}) =>
	contextsOf({
		credentials: service.credentials,
		...options,
		parameters: { ...placeOf(operation), ...options.parameters },
	});

/** Runs an operation for the items of one run, as n8n does: all at once. */
async function run(operation: Operation, { template = { url: '/' }, ...options }: Setup = {}) {
	const paginate = runItem(operation);
	return await Promise.allSettled(
		contexts(operation, options).map((context) => paginate.call(context, templateOf(template))),
	);
}

async function itemsOf(operation: Operation, options: Setup = {}): Promise<INodeExecutionData[]> {
	const results = await run(operation, options);
	return results.flatMap((result) => {
		if (result.status === 'rejected') throw result.reason;
		return result.value;
	});
}

async function errorOf(operation: Operation, options: Setup = {}): Promise<Error> {
	const results = await run(operation, options);
	const failed = results.find((result) => result.status === 'rejected');
	if (failed === undefined) throw new Error('nothing failed');
	return failed.reason;
}

const jsonOf = (items: INodeExecutionData[]) => items.map((item) => item.json);

describe('an item', () => {
	test('is paired with its input', async () => {
		await serving(good);
		expect(await itemsOf(get, { parameters: getting, count: 2 })).toEqual(
			[0, 1].map((item) => ({ json: { id: '5' }, pairedItem: { item } })),
		);
	});

	test('has its own parameters', async () => {
		await serving((response, request) => {
			json(200, { data: { id: String(request.url).split('/').at(-1) } })(response, request);
		});
		const parameters = { messageId: '={{ $json.i + 7 }}' };
		expect(jsonOf(await itemsOf(get, { parameters, count: 3 }))).toEqual([
			{ id: '7' },
			{ id: '8' },
			{ id: '9' },
		]);
	});

	test('has dates in the time zone of the workflow', async () => {
		await serving(json(200, { data: [] }));
		const parameters = { filters: { updatedAt: '2026-01-31T09:00:00' } };
		await itemsOf(list, { parameters });
		expect(service.received[0].url).toContain('updatedAt=1769846400&');
	});

	test('that repeats the key does not hold it', async () => {
		await serving(json(200, { data: { id: '5', data: { text: `my ${KEY}`, [KEY]: 1 } } }));
		const items = await itemsOf(get, { parameters: getting });
		expect(JSON.stringify(items)).not.toContain(KEY);
		expect(jsonOf(items)).toEqual([{ id: '5', data: { text: 'my **********', '**********': 1 } }]);
	});

	test('is attempted as often as its options say', async () => {
		await serving(json(503, {}));
		const parameters = { ...getting, options: { maxTries: 2 } };
		const error = await errorOf(get, { parameters });
		expect(error).toMatchObject({ description: expect.stringContaining('after 2 attempts') });
		expect(service.received).toHaveLength(2);
	});

	test('waits as long as its options say', async () => {
		await serving(json(429, {}, { 'retry-after': '8' }));
		const parameters = { ...getting, options: { maxWait: 7 } };
		const error = await errorOf(get, { parameters });
		expect(error).toMatchObject({
			message: "CometChat's rate limit was reached",
			description: expect.stringContaining("to wait 8 seconds, more than 'Max Wait (Seconds)'"),
		});
		expect(service.received).toHaveLength(1);
	});

	test("has n8n's own time limit, and the advice to raise it", async () => {
		await serving(() => {});
		const parameters = { ...getting, options: { maxTries: 1 } };
		const error = await errorOf(get, { parameters, template: { url: '/', timeout: 100 } });
		expect(error).toMatchObject({
			message: 'CometChat did not respond in time',
			description: expect.stringMatching(/^Raise 'Timeout' under Settings → Request Options\. /),
		});
	});

	test.each([0, -1, 2 ** 31, 1.5, Infinity])('of the time limit %p is refused', async (timeout) => {
		await serving(good);
		const error = await errorOf(get, { parameters: getting, template: { url: '/', timeout } });
		expect(error.message).toMatch(/^'Timeout' must be a whole number from 1 to 2147483647, but/);
		expect(service.received).toEqual([]);
	});

	test('may have the longest time limit there is', async () => {
		await serving(good);
		const template = { url: '/', timeout: 2 ** 31 - 1 };
		expect(await itemsOf(get, { parameters: getting, template })).toHaveLength(1);
	});

	test('goes through the proxy that n8n is told', async () => {
		await serving(good);
		const { port } = new URL(service.baseUrl);
		const credentials = { ...service.credentials, baseUrl: 'http://chat.example.com/v3' };
		const template = { url: '/', proxy: { host: '127.0.0.1', port: Number(port) } };
		expect(await itemsOf(get, { parameters: getting, template, credentials })).toHaveLength(1);
		expect(service.received[0].url).toBe('http://chat.example.com/v3/messages/5');
	});
});

describe('the items of one run', () => {
	test('share a limit of requests in flight', async () => {
		let underWay = 0;
		let most = 0;
		await serving((response, request) => {
			most = Math.max(most, ++underWay);
			setTimeout(() => {
				underWay--;
				good(response, request);
			}, 20);
		});
		await itemsOf(get, { parameters: getting, count: 3 * MAX_IN_FLIGHT });
		expect(most).toBeLessThanOrEqual(MAX_IN_FLIGHT);
		expect(most).toBeGreaterThan(MAX_IN_FLIGHT / 2);
	});

	test('are sent in their order', async () => {
		await serving(good);
		const parameters = { messageId: '={{ $json.i }}' };
		await itemsOf(get, { parameters, count: 100 });
		const sent = service.received.map(({ url }) => Number(String(url).split('/').at(-1)));
		// Sockets may overtake each other, but not those that wait
		for (const [place, index] of sent.entries()) {
			expect(Math.abs(place - index)).toBeLessThanOrEqual(MAX_IN_FLIGHT);
		}
		expect([...sent].sort((a, b) => a - b)).toEqual(sent.map((_, index) => index));
	});

	test('leave no listener behind on the signal that stops the execution', async () => {
		await serving(good, bad);
		const { signal } = new AbortController();
		for (const count of [1, 5]) {
			await run(get, { parameters: getting, count, signal });
			expect(getEventListeners(signal, 'abort')).toEqual([]);
		}
	});
});

describe('a failing item', () => {
	test('fails the run with its index, and with what to do', async () => {
		await serving(good, bad);
		const error = await errorOf(get, { parameters: getting, count: 2 });
		expect(error).toBeInstanceOf(NodeApiError);
		expect(error).toMatchObject({
			message: 'No message has this ID',
			description: "Check 'Message ID'. CometChat replied: Not there (ERR_MESSAGE_ID_NOT_FOUND).",
			httpCode: '404',
		});
		expect(error).toHaveProperty('context.itemIndex', 1);
	});

	test('of a refused value is an operation error, and nothing is sent', async () => {
		await serving(good);
		const error = await errorOf(get, { parameters: { messageId: ' ' } });
		expect(error).toBeInstanceOf(NodeOperationError);
		expect(error).toMatchObject({
			message: "'Message ID' is empty",
			description: "Fill in 'Message ID'.",
			context: { itemIndex: 0 },
		});
		expect(service.received).toEqual([]);
	});

	test("of an expression is n8n's own error, as n8n made it", async () => {
		await serving(good);
		const parameters = { messageId: "={{ $('Nowhere').item.json.id }}" };
		const error = await errorOf(get, { parameters });
		expect(error.constructor.name).toBe('ExpressionError');
		expect(error).toHaveProperty('context.itemIndex', 0);
		expect(service.received).toEqual([]);
	});

	test('names only fields that the operation has', async () => {
		await serving(json(404, {}));
		const { description } = Object(await errorOf(list, {}));
		expect(description).toMatch(/^Check 'On Behalf Of'\. Check 'App ID' and 'Region', or/);
		const { description: ofGet } = Object(await errorOf(get, { parameters: getting }));
		expect(ofGet).toMatch(/^Check 'Message ID' and 'On Behalf Of'\. /);
	});

	test('of a change that may have been made says so', async () => {
		await serving(cut);
		const error = await errorOf(removeReaction, { parameters: removal });
		expect(error).toMatchObject({
			message: 'CometChat may already have removed the reaction',
			description: expect.stringMatching(/^Check the message before you run this item again\. /),
		});
	});

	test('has the key nowhere', async () => {
		await serving(json(401, { error: { code: 'X', message: `The API key ${KEY} is wrong` } }));
		for (const settings of [{}, continuing]) {
			const results = await run(get, { parameters: getting, settings });
			const [result] = results;
			const error = result.status === 'rejected' ? result.reason : {};
			const all = JSON.stringify([results, { ...error }, error.message, error.stack]);
			expect(all).not.toContain(KEY);
			expect(all).toContain('**********');
		}
	});

	test('stops the others, which return nothing, and nothing more is sent', async () => {
		const parameters = { messageId: '={{ $json.i === 0 ? "" : "5" }}' };
		await serving((response, request) => setTimeout(() => good(response, request), 300));
		const from = Date.now();
		const results = await run(get, { parameters, count: 200 });
		expect(results.map(({ status }) => status)).toEqual([
			'rejected',
			...Array.from({ length: 199 }, () => 'fulfilled'),
		]);
		expect(results[1]).toMatchObject({ value: [] });
		expect(service.received.length).toBeLessThanOrEqual(MAX_IN_FLIGHT);
		expect(Date.now() - from).toBeLessThan(5_000);
	});

	test('says what becomes of the items that were fetched before it', async () => {
		const page = json(200, { data: [{ guid: 'a' }, { guid: 'b' }], meta: {} });
		const one = json(200, { data: [{ guid: 'a' }], meta: {} });
		const refused = json(403, {});
		const parameters = { returnAll: true };
		await serving(page, refused, one, refused, page, refused, one, refused);
		expect(await errorOf(list, { parameters })).toMatchObject({
			description: expect.stringMatching(
				/ The 2 items fetched before this are lost: to keep what was fetched, set 'On Error' in the node's Settings to continue\.$/,
			),
		});
		expect(await errorOf(list, { parameters })).toMatchObject({
			description: expect.stringContaining(' The item fetched before this is lost: '),
		});
		const kept = jsonOf(await itemsOf(list, { parameters, settings: continuing }));
		expect(kept.slice(0, -1)).toEqual([{ guid: 'a' }, { guid: 'b' }]);
		expect(kept.at(-1)?.error).toMatch(/ The 2 items fetched before this are kept\.$/);
		const single = jsonOf(await itemsOf(list, { parameters, settings: continuing }));
		expect(single.at(-1)?.error).toMatch(/ The item fetched before this is kept\.$/);
	});

	test('on "Continue" is an item of its own, with both texts, and the others go on', async () => {
		await serving(bad, good);
		const parameters = { messageId: '={{ $json.i }}' };
		const results = await run(get, { parameters, count: 1, settings: continuing });
		expect(results).toEqual([
			{
				status: 'fulfilled',
				value: [
					{
						json: {
							error:
								"No message has this ID. Check 'Message ID'. CometChat replied: Not there (ERR_MESSAGE_ID_NOT_FOUND).",
						},
						pairedItem: { item: 0 },
					},
				],
			},
		]);
		expect(await itemsOf(get, { parameters, count: 3, settings: continuing })).toHaveLength(3);
	});

	test('says everything in its message when an agent runs the node', async () => {
		await serving(bad);
		const settings = { type: 'n8n-nodes-cometchat.cometChatTool' };
		const error = await errorOf(get, { parameters: getting, settings });
		expect(error.message).toBe(
			"No message has this ID. Check 'Message ID'. CometChat replied: Not there (ERR_MESSAGE_ID_NOT_FOUND).",
		);
	});
});

describe('a list that is sent in parts', () => {
	const refusal = { error: { code: 'ERR_UID_NOT_FOUND', message: 'No such user.' } };

	/** Adds everyone but those whose UID begins with "x". */
	const adding: Reply = (response, request) => {
		const { body } = service.received[service.received.length - 1];
		const { participants }: { participants: string[] } = JSON.parse(body);
		const results = participants.map((uid) => [
			uid,
			uid.startsWith('x') ? refusal : { success: true },
		]);
		json(200, { data: { participants: Object.fromEntries(results) } })(response, request);
	};

	const toAdd = (...uids: string[]): INodeParameters => ({ groupId: 'g', uids });

	const added = (uid: string) => ({ uid, scope: 'participant', success: true });

	const reason = 'No such user (ERR_UID_NOT_FOUND)';

	test('becomes an item for each entry', async () => {
		await serving(adding);
		const items = await itemsOf(addMembers, { parameters: toAdd('a', 'b', 'a') });
		expect(jsonOf(items)).toEqual([added('a'), added('b')]);
		expect(JSON.parse(service.received[0].body)).toEqual({ participants: ['a', 'b'] });
	});

	test('fails with the entries that failed, and how many there were', async () => {
		await serving(adding);
		const error = await errorOf(addMembers, { parameters: toAdd('a', 'x1', 'b', 'x2') });
		expect(error).toMatchObject({
			message: '2 of 4 users could not be added',
			description: `x1: ${reason}; x2: ${reason}. 2 succeeded.`,
		});
	});

	test('names ten entries that failed, and the number of the others', async () => {
		await serving(adding);
		const uids = Array.from({ length: 12 }, (_, index) => `x${index}`);
		const error = await errorOf(addMembers, { parameters: toAdd(...uids) });
		expect(error.message).toBe('12 of 12 users could not be added');
		const { description } = Object(error);
		expect(description).toContain(`x9: ${reason}; and 2 more.`);
		expect(description).not.toContain('x10');
		const eleven = await errorOf(addMembers, { parameters: toAdd(...uids.slice(0, 10)) });
		expect(Object(eleven).description).not.toContain('more');
	});

	test('on "Continue" has an item for each entry that failed as well', async () => {
		await serving(adding);
		const parameters = toAdd('a', 'x1');
		expect(jsonOf(await itemsOf(addMembers, { parameters, settings: continuing }))).toEqual([
			added('a'),
			{ uid: 'x1', scope: 'participant', success: false, error: reason },
		]);
		const settings: Partial<INode> = { onError: 'continueErrorOutput' };
		expect(jsonOf(await itemsOf(addMembers, { parameters, settings }))).toEqual([
			added('a'),
			{ error: `x1: ${reason}` },
		]);
	});

	test('goes out 25 at a time, and keeps what was done before a part fails', async () => {
		await serving(adding, json(500, {}));
		const uids = Array.from({ length: 60 }, (_, index) => `u${index}`);
		const error = await errorOf(addMembers, { parameters: toAdd(...uids) });
		expect(error).toMatchObject({
			message: 'CometChat may already have added the members',
			description: expect.stringMatching(/ 25 succeeded\.$/),
		});
		expect(service.received).toHaveLength(2);
		expect(JSON.parse(service.received[1].body).participants).toEqual(uids.slice(25, 50));
	});
});

describe('n8n\'s "Retry On Fail"', () => {
	/** Two attempts at the same run: n8n gives the items the same data of the execution. */
	async function twice(operation: Operation, settings: Partial<INode>, parameters = removal) {
		const items = contexts(operation, { parameters, count: 2, settings });
		const paginate = runItem(operation);
		const attempts = [];
		for (let attempt = 0; attempt < 2; attempt++) {
			const results = [];
			for (const context of items) {
				results.push(
					await paginate.call(context, templateOf({ url: '/' })).catch((error: Error) => error),
				);
			}
			attempts.push(results);
		}
		return attempts;
	}

	test('does not repeat what was done, and returns it again', async () => {
		await serving(good, bad, good);
		const parameters = { ...removal, messageId: '={{ $json.i }}' };
		const [first, second] = await twice(removeReaction, { retryOnFail: true }, parameters);
		expect(first[1]).toBeInstanceOf(Error);
		expect(second[0]).toEqual([{ json: { id: '5' }, pairedItem: { item: 0 } }]);
		expect(second[1]).toEqual([{ json: { id: '5' }, pairedItem: { item: 1 } }]);
		expect(service.received.map(({ url }) => String(url).split('/')[3])).toEqual(['0', '1', '1']);
	});

	test('does not repeat what may have been done, and says so again', async () => {
		await serving(cut, good);
		const [first, second] = await twice(removeReaction, { retryOnFail: true });
		for (const [error] of [first, second]) {
			expect(error).toHaveProperty('message', 'CometChat may already have removed the reaction');
		}
		expect(service.received).toHaveLength(1);
	});

	test('repeats everything that only reads', async () => {
		await serving(good);
		await twice(get, { retryOnFail: true }, getting);
		expect(service.received).toHaveLength(4);
	});

	test('is not what an agent does that calls a tool twice, nor what runs without it', async () => {
		await serving(good);
		await twice(removeReaction, { retryOnFail: true, type: 'n8n-nodes-cometchat.cometChatTool' });
		expect(service.received).toHaveLength(4);
		await twice(removeReaction, {});
		expect(service.received).toHaveLength(8);
	});
});

describe("n8n's RoutingNode", () => {
	const many = json(200, { data: [{ guid: 'a' }], meta: { pagination: { total: 100_001 } } });

	test('cannot take more than 100,000 items of one input item', async () => {
		await serving(many);
		const error = await errorOf(list, { parameters: { returnAll: true } });
		expect(error.message).toMatch(/^The list has more than 100,000 groups, which is more than/);
		expect(service.received).toHaveLength(1);
	});

	test('is not used by a custom operation, which can return any number', async () => {
		await serving(many, json(200, { data: [] }));
		const [context] = contexts(list, { parameters: { returnAll: true } });
		Reflect.deleteProperty(context, 'makeRoutingRequest');
		const items = await runItem(list).call(context, templateOf({ url: '/' }));
		expect(jsonOf(items)).toEqual([{ guid: 'a' }]);
	});
});

describe('stopping the execution', () => {
	test('ends every item with nothing, and n8n itself says that it was stopped', async () => {
		const cancel = new AbortController();
		await serving(() => setTimeout(() => cancel.abort(), 20));
		for (const settings of [{}, continuing]) {
			const results = await run(get, {
				parameters: getting,
				count: 3,
				settings,
				signal: cancel.signal,
			});
			expect(results).toEqual([0, 1, 2].map(() => ({ status: 'fulfilled', value: [] })));
		}
		expect(service.received.length).toBeLessThanOrEqual(3);
	});

	test('before it begins sends nothing', async () => {
		await serving(good);
		const signal = AbortSignal.abort();
		expect(await itemsOf(get, { parameters: getting, signal })).toEqual([]);
		expect(service.received).toEqual([]);
	});

	test('is no failure of a refused value either', async () => {
		const cancel = new AbortController();
		await serving((response, request) => {
			cancel.abort();
			bad(response, request);
		});
		expect(await run(removeReaction, { parameters: removal, signal: cancel.signal })).toEqual([
			{ status: 'fulfilled', value: [] },
		]);
	});
});

describe("with n8n's Batching", () => {
	const batching = { requestOptions: { batching: { batch: { batchSize: 1, batchInterval: 60 } } } };

	/** Starts the items one after the other, as n8n does, and tells when the first one was rejected. */
	async function rejectedAfter(count: number, started: number, options: Partial<ContextOptions>) {
		await serving(good);
		const parameters = { ...batching, messageId: '' };
		const items = contexts(get, { count, parameters, ...options });
		let begun = 0;
		let rejectedAt = NaN;
		const results = [];
		for (const context of items.slice(0, started)) {
			begun++;
			const result = runItem(get).call(context, templateOf({ url: '/groups' }));
			results.push(
				result.catch(() => {
					if (Number.isNaN(rejectedAt)) rejectedAt = begun;
				}),
			);
			await new Promise((resolve) => setTimeout(resolve, 60));
		}
		await Promise.all(results);
		return rejectedAt;
	}

	test('an item is rejected only after n8n has started the last one', async () => {
		expect(await rejectedAfter(3, 3, {})).toBe(3);
	});

	test('an item is rejected all the same when n8n starts no further one', async () => {
		expect(await rejectedAfter(5, 1, {})).toBe(1);
	});

	test('of a node that runs once there is nothing to wait for', async () => {
		expect(await rejectedAfter(3, 1, { settings: { executeOnce: true } })).toBe(1);
	});
});
