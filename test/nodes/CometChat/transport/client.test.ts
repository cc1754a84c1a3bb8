import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import {
	ConnectionError,
	SendError,
	StatusError,
} from '../../../../nodes/CometChat/transport/failure';
import {
	RequestLimiter,
	SharedLimits,
	StoppedError,
} from '../../../../nodes/CometChat/transport/limiter';
import type { Clock } from '../../../../nodes/CometChat/transport/clock';
import { Client, type ClientOptions } from '../../../../nodes/CometChat/transport/client';
import type { RestRequest, RestResponse } from '../../../../nodes/CometChat/transport/types';
import { KEY, answering, runContextOf, type InMemory } from '../context';

const credentials = { apiKey: ` ${KEY} `, region: 'us', appId: 'app' };

const get: RestRequest = { method: 'GET', path: '/messages/5' };
const remove: RestRequest = {
	method: 'DELETE',
	path: '/messages/5',
	headers: { onBehalfOf: 'ann' },
};

const waits: number[] = [];

/** Time that passes as soon as it is waited for. */
function quickClock(): Clock {
	let now = Date.now();
	const sleep = async (ms: number) => {
		waits.push(ms);
		now += ms;
	};
	return { now: () => now, today: () => now, sleep };
}

const limiters: RequestLimiter[] = [];

beforeEach(() => void waits.splice(0));

afterEach(() => {
	jest.restoreAllMocks();
	for (const limiter of limiters.splice(0)) limiter.stop();
});

function clientOf(
	respond: InMemory,
	changes: Partial<ClientOptions> = {},
	signal?: AbortSignal,
): Client {
	const limiter = new RequestLimiter(signal, new SharedLimits(quickClock()));
	limiters.push(limiter);
	return new Client({
		context: answering(runContextOf({ credentials, signal }), respond),
		credentials,
		timeoutMs: 10_000,
		limiter,
		retry: { maxAttempts: 4, maxWaitMs: 10_000 },
		...changes,
	});
}

const once = { retry: { maxAttempts: 1, maxWaitMs: 10_000 } };

/** Gives its replies in turn, and the last one from then on; an error is thrown. */
function replies(...all: unknown[]) {
	let sent = 0;
	return jest.fn(async () => {
		const reply = all[Math.min(sent++, all.length - 1)];
		if (reply instanceof Error) throw reply;
		return await reply;
	});
}

const good = { data: { id: '5' } };

const never = new Promise(() => {});

const readBody = ({ body }: RestResponse) => body;

async function failureOf(promise: Promise<unknown>): Promise<unknown> {
	return await promise.then(
		() => 'it got a response',
		(error: unknown) => (error instanceof SendError ? error.failure : error),
	);
}

const network = (code: string, message = 'cut') => Object.assign(new Error(message), { code });

test.each<[boolean, object[]]>([
	[true, [200, 299].map((statusCode) => ({ statusCode, ...good }))],
	[false, [199, 300, 500].map((statusCode) => ({ statusCode, ...good }))],
	[true, [{ error: null }, { data: { success: true } }, {}]],
	[false, [{ error: 'X' }, { error: { code: 'X' } }, { success: false, data: {} }]],
	[false, [{ data: { error: 'X' } }, { data: { success: false } }, { data: { success: 'false' } }]],
])('that these are a success is %j: %j', async (isSuccess, all) => {
	for (const reply of all) {
		const failure = await failureOf(clientOf(replies(reply)).send(get, readBody));
		const failed = { error: { constructor: StatusError }, attempts: 1, waitedMs: 0 };
		if (isSuccess) expect(failure).toBe('it got a response');
		else expect(failure).toMatchObject(failed);
	}
});

describe('Another attempt', () => {
	beforeEach(() => jest.spyOn(Math, 'random').mockReturnValue(0));

	test('comes as often as allowed, after longer and longer waits, and then what is known is told', async () => {
		const respond = replies({ statusCode: 503 });
		expect(await failureOf(clientOf(respond).send(get, readBody))).toEqual({
			error: new StatusError({ statusCode: 503, headers: {}, body: {} }),
			attempts: 4,
			waitedMs: 1_750,
			requiredMs: undefined,
			outcomeUnknown: false,
		});
		expect(waits).toEqual([250, 500, 1_000]);
	});

	test('does not come for what may have been changed, nor when the response cannot be read', async () => {
		const respond = replies({ statusCode: 503 });
		expect(await failureOf(clientOf(respond).send(remove, readBody))).toMatchObject({
			attempts: 1,
			outcomeUnknown: true,
		});
		const unreadable = () => {
			throw new Error('unreadable');
		};
		expect(await failureOf(clientOf(replies(good)).send(get, unreadable))).toMatchObject({
			attempts: 1,
			error: new Error('unreadable'),
		});
	});

	test('that would have to wait longer than allowed is not waited for', async () => {
		const refused = (statusCode: number) =>
			replies({ statusCode, headers: { 'retry-after': '11' }, a: 1 });
		for (const [status, attempts] of [
			[429, 1],
			[503, 1],
		]) {
			expect(await failureOf(clientOf(refused(status)).send(get, readBody))).toMatchObject({
				attempts,
				waitedMs: 0,
				requiredMs: expect.any(Number),
				outcomeUnknown: false,
				error: { response: { statusCode: status, body: { a: 1 } } },
			});
		}
		expect(waits).toEqual([]);
	});

	test('does not come when all attempts together take longer than allowed', async () => {
		const clock = quickClock();
		const respond = async () => {
			await clock.sleep(4_000);
			return { statusCode: 503 };
		};
		const limiter = new RequestLimiter(undefined, new SharedLimits(clock));
		expect(await failureOf(clientOf(respond, { limiter }).send(get, readBody))).toMatchObject({
			attempts: 3,
			waitedMs: 750,
			requiredMs: 1_000,
		});
	});
});

describe('What n8n throws', () => {
	const wrapped = (message: string, more: object) => Object.assign(new Error(message), more);

	const timedOut = { code: 'ETIMEDOUT', syscall: 'connect' };

	test.each<[string, unknown, object]>([
		[
			'before a connection',
			wrapped('slow', timedOut),
			{ code: 'ETIMEDOUT', whileConnecting: true },
		],
		[
			'while a name is looked up, where the words alone say so',
			network('ETIMEDOUT', 'getaddrinfo ETIMEDOUT host'),
			{ code: 'ETIMEDOUT', whileConnecting: true },
		],
		[
			'later',
			network('ETIMEDOUT', 'read ETIMEDOUT'),
			{ code: 'ETIMEDOUT', whileConnecting: false },
		],
		[
			'as a cause',
			wrapped('x', { cause: wrapped('slow', timedOut) }),
			{ message: 'slow', whileConnecting: true },
		],
		[
			'as a code in place of a status',
			wrapped('x', { httpCode: 'ECONNRESET', messages: ['slow'] }),
			{ code: 'ECONNRESET', message: 'slow' },
		],
		[
			'as a status of a response that broke off',
			wrapped('x', { httpCode: '200', messages: ['slow'] }),
			{ code: 'ERR_BAD_RESPONSE', message: 'slow' },
		],
		[
			'without words',
			wrapped('slow', { httpCode: 'EPIPE', messages: [{}] }),
			{ code: 'EPIPE', message: 'slow' },
		],
		['without any', wrapped('slow', { httpCode: 'EPIPE' }), { code: 'EPIPE', message: 'slow' }],
	])('of a connection is told by its code: %s', async (_, thrown, expected) => {
		const failure = await failureOf(clientOf(replies(thrown), once).send(remove, readBody));
		expect(failure).toMatchObject({ error: { constructor: ConnectionError, ...expected } });
	});

	test('otherwise is told in its own words', async () => {
		const noCode = wrapped('No', { httpCode: 'not a code' });
		for (const thrown of [new Error('No'), noCode, { message: 'No' }, 'No']) {
			const failure = await failureOf(
				clientOf(() => Promise.reject(thrown)).send(remove, readBody),
			);
			const error = { constructor: Error, message: 'No' };
			expect(failure).toMatchObject({ error, attempts: 1, outcomeUnknown: false });
		}
	});
});

test.each([get, remove])(
	'a time limit ends $method, and each attempt has its own',
	async (request) => {
		const client = clientOf(replies(never), { timeoutMs: 20, ...once });
		expect(await failureOf(client.send(request, readBody))).toMatchObject({
			error: {
				code: 'ETIMEDOUT',
				message: 'no complete response within 20 ms',
				whileConnecting: false,
			},
			outcomeUnknown: request === remove,
		});
		const again = clientOf(replies(never, good), { timeoutMs: 20 });
		expect(await again.send(get, readBody)).toEqual(good);
	},
);

test('requests count for the limit of their app, key and kind; messages for the limit of their sender, too', async () => {
	const counted: string[][] = [];
	const limiter = new RequestLimiter();
	limiters.push(limiter);
	jest.spyOn(limiter, 'acquire').mockImplementation(async (limits) => {
		counted.push(limits);
		throw new StoppedError();
	});
	const as = (onBehalfOf: string): RestRequest => ({ ...get, headers: { onBehalfOf } });
	const account = (changes: ICredentialDataDecryptedObject) => ({
		credentials: { ...credentials, ...changes },
	});
	const all: Array<[Partial<ClientOptions>, RestRequest]> = [
		[{}, get],
		[account({ apiKey: KEY }), as('ann')],
		[account({ appId: 'other' }), get],
		[account({ region: 'eu' }), get],
		[account({ apiKey: KEY.replace('f', 'a') }), get],
		[{ rateLimit: 'core' }, get],
		[{ rateLimit: 'core' }, as('ann')],
		[{ rateLimit: 'send' }, get],
		[{ rateLimit: 'send' }, as('APP_system')],
		[{ rateLimit: 'send' }, as('Ann')],
		[{ rateLimit: 'send' }, as('ann')],
	];
	for (const [changes, request] of all) {
		const client = clientOf(replies(good), { limiter, ...changes });
		await expect(client.send(request, readBody)).rejects.toThrow(StoppedError);
	}
	const names = counted.flat();
	expect(counted.map((limits) => limits.map((limit) => names.indexOf(limit)))).toEqual([
		...[[0], [0], [2], [3], [4], [5], [5]],
		// Two senders: the app itself, and Ann
		...[
			[7, 8],
			[7, 8],
			[11, 8],
			[11, 8],
		],
	]);
});

describe.each([get, remove])('While a $method is in flight', (request) => {
	test('a canceled execution aborts it', async () => {
		const cancel = new AbortController();
		const hanging = async () => {
			setImmediate(() => cancel.abort());
			return await never;
		};
		const client = clientOf(hanging, {}, cancel.signal);
		expect(await failureOf(client.send(request, readBody))).toBeInstanceOf(StoppedError);
	});

	test.each([
		['returns its response', good, good],
		['is not sent again after a refusal', { statusCode: 429 }, new StoppedError()],
		['is not sent again after a failure', { statusCode: 503 }, expect.any(Error)],
	])('a run that stops lets it finish: it %s', async (_, reply, outcome) => {
		const limiter = new RequestLimiter(undefined, new SharedLimits(quickClock()));
		const respond = jest.fn(async () => {
			limiter.stop();
			return await Promise.resolve(reply);
		});
		const client = clientOf(respond, { limiter });
		const result = await client.send(request, readBody).catch((error: unknown) => error);
		expect(result).toEqual(outcome);
		expect(respond).toHaveBeenCalledTimes(1);
	});
});

test('a network that is down is known not to have sent a change, also where a host has several addresses', async () => {
	// As Node.js and axios throw it when it tried one address after the other
	const all = ['203.0.113.1', '203.0.113.2'].map((address) =>
		Object.assign(new Error(`connect ENETUNREACH ${address}:443`), {
			code: 'ENETUNREACH',
			syscall: 'connect',
		}),
	);
	const cause = Object.assign(new AggregateError(all), { code: 'ENETUNREACH' });
	const thrown = Object.assign(new Error(''), { code: 'ENETUNREACH', cause });
	const client = clientOf(() => Promise.reject(thrown), once);
	const request: RestRequest = { method: 'POST', path: '/messages' };
	expect(await failureOf(client.send(request, readBody))).toMatchObject({
		outcomeUnknown: false,
	});
});
