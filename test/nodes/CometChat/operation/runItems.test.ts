import type { IExecuteFunctions, INode, INodeParameters } from 'n8n-workflow';
import { getEventListeners } from 'node:events';

import { runItems } from '../../../../nodes/CometChat/operation/runItems';
import { get, removeReaction } from '../../../../nodes/CometChat/resources/message/operations';
import { LONGEST_NAP } from '../../../../nodes/CometChat/transport/clock';
import { MAX_IN_FLIGHT } from '../../../../nodes/CometChat/transport/limiter';
import { selfSignedCertificate } from '../../../../sandbox/certificate';
import { runContextOf } from '../context';
import type { ContextOptions } from '../context';
import type { Reply, Service } from '../service';
import { json, startService, startTlsService } from '../service';

let service: Service;

async function serving(...replies: Reply[]): Promise<void> {
	service = await startService(...replies);
}

afterEach(async () => await service.close());

const good = json(200, { data: { id: '5' } });

/** Returns a message with the ID that was asked for. */
const echo: Reply = (response, request) => {
	json(200, { data: { id: String(request.url).split('/').at(-1) } })(response, request);
};

const later =
	(ms: number, reply: Reply): Reply =>
	(response, request) =>
		void setTimeout(() => reply(response, request), ms);

const contextOf = (parameters: INodeParameters, options: Partial<ContextOptions> = {}) =>
	runContextOf({
		credentials: service.credentials,
		...options,
		parameters: { resource: 'message', operation: 'get', ...parameters },
	});

const run = async (parameters: INodeParameters, options: Partial<ContextOptions> = {}) =>
	await runItems(get).call(contextOf(parameters, options));

const batching = (batchSize: number, batchInterval: number): INodeParameters => ({
	requestOptions: { batching: { batch: { batchSize, batchInterval } } },
});

const fromItem = { messageId: '={{ $json.i }}' };

test('every item has its own parameters and place', async () => {
	await serving(echo);
	expect(await run(fromItem, { count: 3 })).toEqual([
		['0', '1', '2'].map((id) => ({ json: { id }, pairedItem: { item: Number(id) } })),
	]);
});

test.each([
	['not at all when it only names a field of the item', '={{ $json.i }}', 0],
	['for each item when it is computed', '={{ String($json.i) }}', 20],
])(
	'n8n evaluates a parameter once without an expression, and with one %s',
	async (_, messageId, most) => {
		await serving(good);
		const context = contextOf({ messageId, output: 'raw' }, { count: 20 });
		const asked: string[] = [];
		const counting: IExecuteFunctions = Object.create(context, {
			getNodeParameter: {
				value: (name: string, ...rest: [number, ...unknown[]]) => {
					asked.push(name);
					return Reflect.apply(context.getNodeParameter, context, [name, ...rest]);
				},
			},
		});
		await runItems(get).call(counting);
		const times = (name: string) => asked.filter((each) => each === name).length;
		expect(service.received).toHaveLength(20);
		expect(times('messageId')).toBe(most);
		for (const name of ['output', 'onBehalfOf', 'options', 'requestOptions']) {
			expect(times(name)).toBe(1);
		}
	},
);

test('an expression deep in a parameter is found', async () => {
	await serving(good);
	const onBehalfOf = { __rl: true, mode: 'id', value: '={{ "user-" + $json.i }}' };
	await run({ messageId: '5', onBehalfOf }, { count: 3 });
	expect(service.received.map(({ headers }) => headers.onbehalfof).sort()).toEqual([
		'user-0',
		'user-1',
		'user-2',
	]);
});

test('many items wait in order, so many requests at once', async () => {
	let underWay = 0;
	let most = 0;
	await serving((response, request) => {
		most = Math.max(most, ++underWay);
		setTimeout(() => {
			underWay--;
			echo(response, request);
		}, 5);
	});
	const count = 8 * MAX_IN_FLIGHT;
	const [items] = await run(fromItem, { count });
	expect(items.map(({ json: { id } }) => Number(id))).toEqual(
		Array.from({ length: count }, (_, i) => i),
	);
	expect(most).toBeLessThanOrEqual(MAX_IN_FLIGHT);
	expect(service.received).toHaveLength(count);
});

test('after an item that fails no other is started, and the first of them is the error', async () => {
	await serving(later(50, json(404, {})));
	const error: Error = await run(fromItem, { count: 1_000 }).then(
		() => new Error('nothing failed'),
		(thrown: Error) => thrown,
	);
	expect(error.message).toBe('CometChat found nothing at this address');
	expect(service.received.length).toBeLessThanOrEqual(MAX_IN_FLIGHT);
});

test('of several items that fail the first in order is the error', async () => {
	await serving((response, request) => {
		const index = Number(String(request.url).split('/').at(-1));
		later(index === 0 ? 200 : 0, json(200, { data: [] }))(response, request);
	});
	const parameters = { messageId: '={{ $json.i === 2 ? ".." : $json.i === 1 ? "" : "5" }}' };
	await expect(run(parameters, { count: 3 })).rejects.toMatchObject({
		message: "'Message ID' is empty",
		context: { itemIndex: 1 },
	});
});

test('on "Continue" every item is run', async () => {
	await serving(json(404, {}), good);
	const settings: Partial<INode> = { onError: 'continueRegularOutput' };
	const [items] = await run(fromItem, { count: 200, settings });
	expect(items).toHaveLength(200);
	expect(items.filter((item) => 'error' in item.json)).toHaveLength(1);
});

test('a second attempt at the run does not repeat what was done', async () => {
	await serving(good);
	const parameters = { operation: 'removeReaction', reaction: 'a', onBehalfOf: 'ann' };
	const options = { count: 2, settings: { retryOnFail: true } };
	const context = contextOf({ ...parameters, ...fromItem }, options);
	await runItems(removeReaction).call(context);
	expect((await runItems(removeReaction).call(context))[0]).toHaveLength(2);
	expect(service.received).toHaveLength(2);
});

describe('Batching', () => {
	// The first request of a process is slow
	beforeAll(async () => {
		await serving(good);
		await run(fromItem);
		await service.close();
	});

	// n8n has no timer that can be cancelled: up to a second of one is left after a wait
	afterAll(async () => await new Promise((resolve) => setTimeout(resolve, LONGEST_NAP)));

	test('pauses after each batch', async () => {
		await serving(good);
		const from = Date.now();
		await run({ ...fromItem, ...batching(2, 1_000) }, { count: 5 });
		// On a busy machine requests come late, never early
		const [, , third, , fifth] = service.received.map(({ at }) => at - from);
		expect(third).toBeGreaterThanOrEqual(999);
		expect(fifth).toBeGreaterThanOrEqual(1_999);
		expect(fifth).toBeLessThan(4 * 1_000);
	});

	test.each([
		[batching(-1, 0)],
		[batching(2, -5)],
		[{ requestOptions: {} }],
		[{ requestOptions: { batching: {} } }],
		[{ requestOptions: { batching: { batch: {} } } }],
	])('of %j does not pause', async (parameters) => {
		await serving(good);
		const from = Date.now();
		expect((await run({ ...fromItem, ...parameters }, { count: 5 }))[0]).toHaveLength(5);
		expect(Date.now() - from).toBeLessThan(3_000);
	});

	test('ends with the execution, in the middle of a pause', async () => {
		const cancel = new AbortController();
		await serving((response, request) => {
			good(response, request);
			response.on('close', () => setTimeout(() => cancel.abort(), 200));
		});
		const parameters = { ...fromItem, ...batching(1, 60_000) };
		const [items] = await run(parameters, { count: 3, signal: cancel.signal });
		expect(items).toHaveLength(1);
		expect(service.received).toHaveLength(1);
		expect(getEventListeners(cancel.signal, 'abort')).toEqual([]);
	});

	test('ends with the first item that fails', async () => {
		await serving(json(404, {}));
		const parameters = { ...fromItem, ...batching(1, 60_000) };
		await expect(run(parameters, { count: 3 })).rejects.toThrow('CometChat found nothing');
		expect(service.received).toHaveLength(1);
	});
});

describe("n8n's other request options", () => {
	const withOptions = (requestOptions: INodeParameters) => ({ messageId: '5', requestOptions });

	test('Timeout limits a request, and 0 is not set', async () => {
		await serving(() => {}, good);
		const limited = { ...withOptions({ timeout: 100 }), options: { maxTries: 1 } };
		await expect(run(limited)).rejects.toThrow('CometChat did not respond in time');
		expect((await run(withOptions({ timeout: 0 })))[0]).toHaveLength(1);
	});

	test.each([
		['http://{host}', undefined],
		['{host}', undefined],
		['http://us%40er:p%3Aw@{host}', 'us@er:p:w'],
	])('Proxy %s is used', async (template, login) => {
		await serving(good);
		const { host } = new URL(service.baseUrl);
		const credentials = { ...service.credentials, baseUrl: 'http://chat.example.com/v3' };
		const proxy = template.replace('{host}', host);
		const result = run(withOptions({ proxy }), { credentials });
		if (!proxy.startsWith('http')) {
			await expect(result).rejects.toThrow('The proxy is not valid');
			return;
		}
		await result;
		const [{ url, headers }] = service.received;
		expect(url).toBe('http://chat.example.com/v3/messages/5');
		expect(headers['proxy-authorization']).toBe(
			login && `Basic ${Buffer.from(login).toString('base64')}`,
		);
	});

	test.each(['not an address', 'http://', '5'])('Proxy %j is refused', async (proxy) => {
		await serving(good);
		await expect(run(withOptions({ proxy }))).rejects.toThrow('The proxy is not valid');
		expect(service.received).toEqual([]);
	});

	test('Ignore SSL Issues lets a certificate of its own pass', async () => {
		service = await startTlsService(await selfSignedCertificate(), good);
		const once = { options: { maxTries: 1 } };
		await expect(run({ ...withOptions({}), ...once })).rejects.toMatchObject({
			message: "Couldn't connect to CometChat: its certificate is not trusted",
			description: expect.stringContaining("'Ignore SSL Issues (Insecure)'"),
		});
		const insecure = withOptions({ allowUnauthorizedCerts: true });
		expect((await run({ ...insecure, ...once }))[0]).toHaveLength(1);
	});
});

describe('stopping the execution', () => {
	test('sends nothing more, and returns what came', async () => {
		const cancel = new AbortController();
		await serving(good, (response, request) => {
			cancel.abort();
			good(response, request);
		});
		const [items] = await run(fromItem, { count: 1_000, signal: cancel.signal });
		expect(items.length).toBeLessThanOrEqual(1);
		expect(service.received.length).toBeLessThanOrEqual(MAX_IN_FLIGHT);
		expect(getEventListeners(cancel.signal, 'abort')).toEqual([]);
	});
});
