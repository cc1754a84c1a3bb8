import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import {
	ConnectionError,
	SendError,
	StatusError,
	StoppedError,
} from '../../../nodes/CometChat/transport/failure';
import { RequestLimiter, SharedLimits } from '../../../nodes/CometChat/transport/limiter';
import type { Clock } from '../../../nodes/CometChat/transport/clock';
import { Client, type ClientOptions } from '../../../nodes/CometChat/transport/client';
import type { RestRequest, RestResponse } from '../../../nodes/CometChat/transport/types';
import { KEY, createRunContext, mockRequests, type Respond } from '../context';

const credentials = { apiKey: ` ${KEY} `, region: 'us', appId: 'app' };

const get: RestRequest = { method: 'GET', path: '/messages/5' };
const remove: RestRequest = {
	method: 'DELETE',
	path: '/messages/5',
	headers: { onBehalfOf: 'ann' },
};

const waits: number[] = [];

/** Creates a clock that advances immediately instead of sleeping. */
function createQuickClock(): Clock {
	let now = Date.now();
	const sleep = (ms: number) => {
		waits.push(ms);
		now += ms;
		return Promise.resolve();
	};
	return { now: () => now, today: () => now, sleep };
}

const createLimiter = (signal?: AbortSignal, clock = createQuickClock()) => {
	const limiter = new RequestLimiter(signal, new SharedLimits(clock));
	limiters.push(limiter);
	return limiter;
};

const limiters: RequestLimiter[] = [];

beforeEach(() => void waits.splice(0));

afterEach(() => {
	jest.restoreAllMocks();
	for (const limiter of limiters.splice(0)) limiter.stop();
});

function createClient(
	respond: Respond,
	changes: Partial<ClientOptions> = {},
	signal?: AbortSignal,
): Client {
	return new Client({
		context: mockRequests(createRunContext({ credentials, signal }), respond),
		credentials,
		timeoutMs: 10_000,
		limiter: createLimiter(signal),
		retry: { maxAttempts: 4, maxWaitMs: 10_000 },
		...changes,
	});
}

const once = { retry: { maxAttempts: 1, maxWaitMs: 10_000 } };

/**
 * Returns the responses in order, then repeats the last response. A response that is an Error is thrown
 * instead.
 */
function respondWith(...responses: unknown[]) {
	let sent = 0;
	return async () => {
		const response = responses[Math.min(sent++, responses.length - 1)];
		if (response instanceof Error) throw response;
		return await response;
	};
}

const good = { data: { id: '5' } };

const never = new Promise(() => {});

const readBody = ({ body }: RestResponse) => body;

/** Sends a request that is expected to fail, and returns the error. */
async function catchFailure(
	client: Client,
	request = get,
	read: (response: RestResponse) => unknown = readBody,
): Promise<unknown> {
	return await client.send(request, read).then(
		() => 'success',
		(error: unknown) => (error instanceof SendError ? error.failure : error),
	);
}

test.each([
	...[200, 299].map((statusCode) => ({ statusCode, ...good })),
	...[{ error: null }, { data: { success: true } }, {}],
])('accepts the response %j', async (response) => {
	expect(await catchFailure(createClient(respondWith(response)))).toBe('success');
});

test.each([
	...[199, 300, 500].map((statusCode) => ({ statusCode, ...good })),
	...[{ error: 'X' }, { error: { code: 'X' } }, { success: false, data: {} }],
	...[{ data: { error: 'X' } }, { data: { success: false } }, { data: { success: 'false' } }],
])('fails with the response %j', async (response) => {
	const failure = { error: { constructor: StatusError }, attempts: 1, waitedMs: 0 };
	expect(await catchFailure(createClient(respondWith(response)))).toMatchObject(failure);
});

describe('A retry', () => {
	beforeEach(() => jest.spyOn(Math, 'random').mockReturnValue(0));

	test('follows after increasing waits, up to the maximum number of attempts', async () => {
		expect(await catchFailure(createClient(respondWith({ statusCode: 503 })))).toEqual({
			error: new StatusError({ statusCode: 503, headers: {}, body: {} }),
			attempts: 4,
			waitedMs: 1_750,
			requiredMs: undefined,
			mayHaveWorked: false,
			outcomeUnknown: false,
		});
		expect(waits).toEqual([250, 500, 1_000]);
	});

	test("doesn't follow a possibly completed change", async () => {
		const client = createClient(respondWith({ statusCode: 503 }));
		const add: RestRequest = { ...remove, method: 'POST' };
		const failure = { mayHaveWorked: true, outcomeUnknown: true };
		expect(await catchFailure(client, add)).toMatchObject({ ...failure, attempts: 1 });
	});

	test('repeats a removal, which may already have worked', async () => {
		const client = createClient(respondWith({ statusCode: 503 }));
		const failure = { mayHaveWorked: true, outcomeUnknown: false };
		expect(await catchFailure(client, remove)).toMatchObject({ ...failure, attempts: 4 });
	});

	test("doesn't follow an unreadable response", async () => {
		const error = new Error('unreadable');
		const failure = await catchFailure(createClient(respondWith(good)), get, () => {
			throw error;
		});
		expect(failure).toMatchObject({ attempts: 1, error });
	});

	test.each([429, 503])("doesn't follow if the wait is too long: status %i", async (statusCode) => {
		const response = { statusCode, headers: { 'retry-after': '11' }, a: 1 };
		expect(await catchFailure(createClient(respondWith(response)))).toMatchObject({
			attempts: 1,
			waitedMs: 0,
			requiredMs: expect.any(Number),
			outcomeUnknown: false,
			error: { response: { statusCode, body: { a: 1 } } },
		});
		expect(waits).toEqual([]);
	});

	test("doesn't follow if all attempts together take too long", async () => {
		const clock = createQuickClock();
		const respond = async () => {
			await clock.sleep(4_000);
			return { statusCode: 503 };
		};
		const client = createClient(respond, { limiter: createLimiter(undefined, clock) });
		expect(await catchFailure(client)).toMatchObject({
			attempts: 3,
			waitedMs: 750,
			requiredMs: 1_000,
		});
	});
});

describe('An error from n8n', () => {
	const createError = (message: string, more: object) => Object.assign(new Error(message), more);

	const timedOut = { code: 'ETIMEDOUT', syscall: 'connect' };

	test.each<[string, Error, object]>([
		[
			'a timeout while connecting',
			createError('slow', timedOut),
			{ code: 'ETIMEDOUT', whileConnecting: true },
		],
		[
			'a timeout of the name lookup',
			createError('getaddrinfo ETIMEDOUT host', { code: 'ETIMEDOUT' }),
			{ code: 'ETIMEDOUT', whileConnecting: true },
		],
		[
			'a timeout after the connection',
			createError('read ETIMEDOUT', { code: 'ETIMEDOUT' }),
			{ code: 'ETIMEDOUT', whileConnecting: false },
		],
		[
			'an error as the cause',
			createError('x', { cause: createError('slow', timedOut) }),
			{ message: 'slow', whileConnecting: true },
		],
		[
			'a code in place of a status',
			createError('x', { httpCode: 'ECONNRESET', messages: ['slow'] }),
			{ code: 'ECONNRESET', message: 'slow' },
		],
		[
			'an incomplete response',
			createError('x', { httpCode: '200', messages: ['slow'] }),
			{ code: 'ERR_BAD_RESPONSE', message: 'slow' },
		],
		[
			'an error with unusable messages',
			createError('slow', { httpCode: 'EPIPE', messages: [{}] }),
			{ code: 'EPIPE', message: 'slow' },
		],
		[
			'an error without messages',
			createError('slow', { httpCode: 'EPIPE' }),
			{ code: 'EPIPE', message: 'slow' },
		],
	])('becomes a ConnectionError with its code: %s', async (_, thrown, expected) => {
		const failure = await catchFailure(createClient(respondWith(thrown), once), remove);
		expect(failure).toMatchObject({ error: { constructor: ConnectionError, ...expected } });
	});

	test.each([
		new Error('No'),
		createError('No', { httpCode: 'not a code' }),
		{ message: 'No' },
		'No',
	])('keeps its message without a known code: %p', async (thrown) => {
		const client = createClient(jest.fn().mockRejectedValue(thrown));
		const error = { constructor: Error, message: 'No' };
		const failure = { error, attempts: 1, outcomeUnknown: false };
		expect(await catchFailure(client, remove)).toMatchObject(failure);
	});

	test('reports that a change was not sent if the network is unreachable, even at several addresses', async () => {
		// Node.js and axios throw an error like this after every IP address has failed
		const code = 'ENETUNREACH';
		const all = ['203.0.113.1', '203.0.113.2'].map((address) =>
			createError(`connect ENETUNREACH ${address}:443`, { code, syscall: 'connect' }),
		);
		const cause = Object.assign(new AggregateError(all), { code });
		const client = createClient(respondWith(createError('', { code, cause })), once);
		const request: RestRequest = { method: 'POST', path: '/messages' };
		expect(await catchFailure(client, request)).toMatchObject({ outcomeUnknown: false });
	});
});

test.each([get, remove])('ends each attempt of a $method at the time limit', async (request) => {
	const client = createClient(respondWith(never), { timeoutMs: 20, ...once });
	expect(await catchFailure(client, request)).toMatchObject({
		error: {
			code: 'ETIMEDOUT',
			message: 'no complete response within 20 ms',
			whileConnecting: false,
		},
		mayHaveWorked: request === remove,
	});
	const again = createClient(respondWith(never, good), { timeoutMs: 20 });
	expect(await again.send(get, readBody)).toEqual(good);
});

test("counts requests against the limit for their app, key, and kind, and messages also against their sender's limit", async () => {
	const counted: string[][] = [];
	const limiter = createLimiter();
	jest.spyOn(limiter, 'send').mockImplementation((limits) => {
		counted.push(limits);
		return Promise.reject(new StoppedError());
	});
	const actAs = (onBehalfOf: string): RestRequest => ({ ...get, headers: { onBehalfOf } });
	const withCredential = (changes: ICredentialDataDecryptedObject) => ({
		credentials: { ...credentials, ...changes },
	});
	/**
	 * The last column contains the rate limits that each request is expected to count against. Rows with the
	 * same number share a limit.
	 */
	const rows: Array<[Partial<ClientOptions>, RestRequest, number[]]> = [
		[{}, get, [0]],
		[withCredential({ apiKey: KEY }), actAs('ann'), [0]],
		[withCredential({ appId: 'other' }), get, [2]],
		[withCredential({ region: 'eu' }), get, [3]],
		[withCredential({ apiKey: KEY.replace('f', 'a') }), get, [4]],
		[{ rateLimit: 'core' }, get, [5]],
		[{ rateLimit: 'core' }, actAs('ann'), [5]],
		[{ rateLimit: 'send' }, get, [7, 8]],
		[{ rateLimit: 'send' }, actAs('APP_system'), [7, 8]],
		[{ rateLimit: 'send' }, actAs('Ann'), [11, 8]],
		[{ rateLimit: 'send' }, actAs('ann'), [11, 8]],
	];
	for (const [changes, request] of rows) {
		const client = createClient(respondWith(good), { limiter, ...changes });
		await expect(client.send(request, readBody)).rejects.toThrow(StoppedError);
	}
	const names = counted.flat();
	expect(counted.map((limits) => limits.map((limit) => names.indexOf(limit)))).toEqual(
		rows.map(([, , expected]) => expected),
	);
});

describe.each([get, remove])('A $method in flight', (request) => {
	test('is aborted when the user cancels the execution', async () => {
		const cancel = new AbortController();
		const hang = async () => {
			setImmediate(() => cancel.abort());
			return await never;
		};
		const client = createClient(hang, {}, cancel.signal);
		expect(await catchFailure(client, request)).toBeInstanceOf(StoppedError);
	});

	test.each([
		['returns its response', good, good],
		['is not sent again after a refusal', { statusCode: 429 }, new StoppedError()],
		['is not sent again after a failure', { statusCode: 503 }, expect.any(Error)],
	])('%s when the run stops', async (_, response, outcome) => {
		const limiter = createLimiter();
		const respond = jest.fn(async () => {
			limiter.stop();
			return await Promise.resolve(response);
		});
		const client = createClient(respond, { limiter });
		const result = await client.send(request, readBody).catch((error: unknown) => error);
		expect(result).toEqual(outcome);
		expect(respond).toHaveBeenCalledTimes(1);
	});
});
