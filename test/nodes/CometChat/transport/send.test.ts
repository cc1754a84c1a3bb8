import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { getEventListeners } from 'node:events';

import { selfSignedCertificate } from '../../../../sandbox/certificate';
import {
	ConnectionError,
	SendError,
	StatusError,
} from '../../../../nodes/CometChat/transport/failure';
import { RequestLimiter, StoppedError } from '../../../../nodes/CometChat/transport/limiter';
import type { LimitedResponse } from '../../../../nodes/CometChat/transport/rateLimit';
import { entityOf } from '../../../../nodes/CometChat/transport/response';
import type { Connection } from '../../../../nodes/CometChat/transport/send';
import { InterruptedError, send } from '../../../../nodes/CometChat/transport/send';
import type { RestRequest } from '../../../../nodes/CometChat/transport/types';
import { contextsOf } from '../context';
import type { Reply, Service } from '../service';
import { KEY, cut, json, startService, startTlsService } from '../service';

const services: Service[] = [];

async function serving(...replies: Reply[]): Promise<Service> {
	const service = await startService(...replies);
	services.push(service);
	return service;
}

const limiters: RequestLimiter[] = [];

afterEach(async () => {
	for (const limiter of limiters.splice(0)) limiter.stop();
	for (const service of services.splice(0)) await service.close();
});

const readMessage = entityOf('message');

function connectionTo(
	service: { credentials: ICredentialDataDecryptedObject },
	changes: Partial<Connection> = {},
	signal?: AbortSignal,
): Connection {
	const { credentials } = service;
	const [context] = contextsOf({ credentials, signal });
	const limiter = new RequestLimiter({ signal });
	limiters.push(limiter);
	return {
		context,
		credentials,
		settings: { timeout: 10_000 },
		limiter,
		retry: { maxAttempts: 4, maxWaitMs: 10_000 },
		order: 0,
		...changes,
	};
}

const get: RestRequest = { method: 'GET', path: '/messages/5' };
const remove: RestRequest = {
	method: 'DELETE',
	path: '/messages/5/reactions/%F0%9F%91%8D',
	headers: { onBehalfOf: 'ann' },
};

const once = { retry: { maxAttempts: 1, maxWaitMs: 10_000 } };

const good = json(200, { data: { id: '5' } });
const limited = json(429, { error: { code: 'ERR_TOO_MANY_REQUESTS' } }, { 'retry-after': '0.2' });
const busy = json(503, {}, { 'retry-after': '0' });

/** Never responds. */
const silent: Reply = () => {};

async function failureOf(promise: Promise<unknown>): Promise<unknown> {
	return await promise.then(
		() => 'it got a response',
		(error: unknown) => (error instanceof SendError ? error.failure : error),
	);
}

/** What is left of an hour that the service asked for a moment ago. */
function expectAnHour(ms: number): void {
	expect(ms).toBeGreaterThan(3_590_000);
	expect(ms).toBeLessThanOrEqual(3_600_000);
}

const refusedPort = async () => {
	const service = await startService(good);
	await service.close();
	return service;
};

describe('one request', () => {
	test('leaves as it was made, with the key, and returns what is read from its response', async () => {
		const service = await serving(good);
		expect(await send(connectionTo(service), remove, readMessage)).toEqual({ id: '5' });
		expect(service.received).toHaveLength(1);
		expect(service.received[0]).toMatchObject({
			method: 'DELETE',
			url: '/v3/messages/5/reactions/%F0%9F%91%8D',
			headers: { apikey: KEY, onbehalfof: 'ann' },
			body: '',
		});
	});

	test('holds only what was set: no user header, no query and no body unless there is one', async () => {
		const service = await serving(good);
		const connection = connectionTo(service);
		await send(connection, get, readMessage);
		await send(connection, { ...get, query: { tags: 'a,b&c', page: 2 } }, readMessage);
		const [bare, filtered] = service.received;
		expect(bare.url).toBe('/v3/messages/5');
		expect(bare.headers).not.toHaveProperty('onbehalfof');
		expect(bare.headers).not.toHaveProperty('content-type');
		expect(bare.headers).not.toHaveProperty('content-length');
		const query = new URL(String(filtered.url), service.baseUrl).searchParams;
		expect([...query]).toEqual([
			['tags', 'a,b&c'],
			['page', '2'],
		]);
	});

	test('has its body as JSON', async () => {
		const service = await serving(good);
		const body = { data: { text: '👍 "ü"' }, tags: ['a,b'], permanent: false };
		await send(connectionTo(service), { method: 'POST', path: '/messages', body }, readMessage);
		expect(service.received[0].headers['content-type']).toContain('application/json');
		expect(JSON.parse(service.received[0].body)).toEqual(body);
	});

	test.each([301, 302, 303, 307, 308])(
		'does not follow a redirect with status %i, so that the key goes nowhere else',
		async (status) => {
			const other = await serving(good);
			const service = await serving(json(status, {}, { location: `${other.baseUrl}/messages/5` }));
			for (const request of [get, remove]) {
				expect(await failureOf(send(connectionTo(service), request, readMessage))).toMatchObject({
					error: { response: { statusCode: status } },
					attempts: 1,
					outcomeUnknown: false,
				});
			}
			expect(other.received).toEqual([]);
		},
	);

	test.each([300, 304, 400, 401, 403, 404, 409, 500, 501])(
		'is not sent again after status %i',
		async (status) => {
			const service = await serving(json(status, { error: { code: 'X' } }));
			const failure = await failureOf(send(connectionTo(service), get, readMessage));
			expect(failure).toMatchObject({
				error: { response: { statusCode: status } },
				attempts: 1,
				waitedMs: 0,
				outcomeUnknown: false,
			});
			expect(Object(failure).error).toBeInstanceOf(StatusError);
			if (status !== 304) {
				expect(failure).toHaveProperty('error.response.body', { error: { code: 'X' } });
			}
			expect(service.received).toHaveLength(1);
		},
	);

	test.each([201, 204, 299])('takes status %i as success', async (status) => {
		const service = await serving(json(status, { data: { id: '5' } }));
		const read = (response: { statusCode: number }) => response.statusCode;
		expect(await send(connectionTo(service), get, read)).toBe(status);
	});

	test('that a wrong credential stops never leaves, and the reason is told', async () => {
		for (const [credentials, words] of [
			[{ apiKey: KEY, region: 'us', appId: 'evil.example/' }, "'App ID' in the CometChat"],
			[
				{ ...(await serving(good)).credentials, apiKey: 'short' },
				"'REST API Key' in the CometChat",
			],
		] as const) {
			const failure = await failureOf(send(connectionTo({ credentials }), remove, readMessage));
			expect(failure).toMatchObject({
				error: { message: expect.stringContaining(words) },
				attempts: 1,
				outcomeUnknown: false,
			});
			expect(Object(failure).error).not.toBeInstanceOf(ConnectionError);
		}
		expect(services[0].received).toEqual([]);
	});

	test('whose response is not JSON is not sent again, and a change may have been made', async () => {
		const service = await serving((response) => response.end('<html>'));
		expect(await failureOf(send(connectionTo(service), remove, readMessage))).toMatchObject({
			error: { message: expect.stringContaining('a web page (HTML) with status 200') },
			attempts: 1,
			outcomeUnknown: true,
		});
		expect(service.received).toHaveLength(1);
	});
});

/** Begins a response with status 200, and cuts the connection in the middle of it. */
const breakOff: Reply = (response) => {
	response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
	response.write('{"data":', () => response.socket?.destroy());
};

/** Says that the response is compressed, and sends something else. */
const badlyCompressed =
	(encoding: string): Reply =>
	(response) => {
		response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': encoding });
		response.end('{"data": {"id": "5"}}');
	};

/** Sends something that is not HTTP. */
const notHttp: Reply = (response) => {
	response.socket?.end('SSH-2.0-OpenSSH\r\n');
};

/** As many versions of n8n return an error of the connection: wrapped, without the error itself. */
function withoutCause(connection: Connection): Connection {
	const { helpers } = connection.context;
	const request = helpers.httpRequestWithAuthentication;
	helpers.httpRequestWithAuthentication = async function (...args) {
		try {
			return await request.apply(this, args);
		} catch (error) {
			if (error instanceof Error) delete error.cause;
			throw error;
		}
	};
	return connection;
}

const withCause = (connection: Connection) => connection;

describe('another attempt', () => {
	test.each([
		['a cut connection', cut],
		['a response that breaks off', breakOff],
	])('comes after %s, also where n8n keeps only the code of the error', async (_, reply) => {
		for (const keep of [withCause, withoutCause]) {
			const service = await serving(reply, good);
			expect(await send(keep(connectionTo(service)), get, readMessage)).toEqual({ id: '5' });
			expect(service.received).toHaveLength(2);
		}
	});

	test('that fails as well tells the code and the words of the error, whatever n8n keeps', async () => {
		const retry = { maxAttempts: 2, maxWaitMs: 10_000 };
		for (const keep of [withCause, withoutCause]) {
			const connection = keep(connectionTo(await serving(cut), { retry }));
			expect(await failureOf(send(connection, get, readMessage))).toMatchObject({
				error: { code: 'ECONNRESET', message: 'socket hang up' },
				attempts: 2,
			});
		}
	});

	test('comes after a rate limit, when the time that the service asked for is over', async () => {
		const service = await serving(limited, good);
		expect(await send(connectionTo(service), remove, readMessage)).toEqual({ id: '5' });
		const [first, second] = service.received;
		expect(second.at - first.at).toBeGreaterThanOrEqual(199);
	});

	test('after a rate limit is none of those that are counted', async () => {
		const service = await serving(limited, limited, good);
		expect(await send(connectionTo(service, once), get, readMessage)).toEqual({ id: '5' });
		expect(service.received).toHaveLength(3);
	});

	test.each([408, 502, 503, 504])('comes after status %i for what only reads', async (status) => {
		const service = await serving(json(status, {}), good);
		expect(await send(connectionTo(service), get, readMessage)).toEqual({ id: '5' });
		const [first, second] = service.received;
		expect(second.at - first.at).toBeGreaterThanOrEqual(249);
	});

	test.each<[string, Reply]>([
		['status 408', json(408, {})],
		['status 500', json(500, {})],
		['status 502', json(502, {})],
		['status 503', busy],
		['status 504', json(504, {})],
		['a cut connection', cut],
		['a response that breaks off', breakOff],
		['a response that is not gzip, but says so', badlyCompressed('gzip')],
		['a response that is not Brotli, but says so', badlyCompressed('br')],
		['a response that is not HTTP', notHttp],
	])('does not come after %s when something may have been changed', async (_, reply) => {
		for (const keep of [withCause, withoutCause]) {
			for (const method of ['DELETE', 'POST', 'PUT'] as const) {
				const service = await serving(reply, good);
				const sent = send(keep(connectionTo(service)), { ...remove, method }, readMessage);
				expect(await failureOf(sent)).toMatchObject({ attempts: 1, outcomeUnknown: true });
				expect(service.received).toHaveLength(1);
			}
		}
	});

	test('comes as often as allowed, and then what is known is told', async () => {
		const service = await serving(busy);
		const retry = { maxAttempts: 3, maxWaitMs: 10_000 };
		const failure = await failureOf(send(connectionTo(service, { retry }), get, readMessage));
		expect(failure).toMatchObject({ attempts: 3, outcomeUnknown: false, requiredMs: undefined });
		expect(failure).toHaveProperty('error.response.statusCode', 503);
		expect(service.received).toHaveLength(3);
		// At least half of both backoffs, whatever the service asks for
		expect(Object(failure).waitedMs).toBeGreaterThanOrEqual(750);
		expect(service.received[2].at - service.received[0].at).toBeGreaterThanOrEqual(749);
	});

	test('of a refused connection comes too, for what changes something as well', async () => {
		const retry = { maxAttempts: 2, maxWaitMs: 10_000 };
		for (const keep of [withCause, withoutCause]) {
			const connection = keep(connectionTo(await refusedPort(), { retry }));
			expect(await failureOf(send(connection, remove, readMessage))).toMatchObject({
				error: { code: 'ECONNREFUSED' },
				attempts: 2,
				outcomeUnknown: false,
				waitedMs: expect.any(Number),
			});
		}
	});

	test.each([429, 503])(
		'that would have to wait longer than allowed after status %i is not waited for',
		async (status) => {
			const service = await serving(json(status, { a: 1 }, { 'retry-after': '3600' }));
			const failure = await failureOf(send(connectionTo(service), get, readMessage));
			expect(failure).toMatchObject({
				attempts: 1,
				requiredMs: expect.any(Number),
				error: { response: { statusCode: status, body: { a: 1 } } },
			});
			expectAnHour(Object(failure).requiredMs);
			expect(service.received).toHaveLength(1);
		},
	);

	test('does not come when all attempts together would take longer than allowed', async () => {
		const service = await serving((response, request) => {
			setTimeout(() => busy(response, request), 400);
		});
		const retry = { maxAttempts: 9, maxWaitMs: 600 };
		const failure = await failureOf(send(connectionTo(service, { retry }), get, readMessage));
		expect(service.received.length).toBeLessThanOrEqual(2);
		expect(Object(failure).requiredMs).toBeGreaterThan(0);
	});

	test('has the wait told that there really was', async () => {
		const service = await serving(limited, json(429, {}, { 'retry-after': '3600' }));
		const from = performance.now();
		const failure = await failureOf(send(connectionTo(service), get, readMessage));
		const tookMs = performance.now() - from;
		expect(failure).toMatchObject({ attempts: 2, requiredMs: expect.any(Number) });
		expectAnHour(Object(failure).requiredMs);
		const { waitedMs } = Object(failure);
		expect(waitedMs).toBeGreaterThanOrEqual(199);
		expect(waitedMs).toBeLessThanOrEqual(tookMs);
	});
});

describe('what is no connection', () => {
	const codeOf = async (connection: Connection) => {
		const failure = await failureOf(send(connection, remove, readMessage));
		expect(failure).toMatchObject({ outcomeUnknown: false });
		expect(Object(failure).error).toBeInstanceOf(ConnectionError);
		return Object(failure).error.code;
	};

	test.each([
		['as n8n returns it', withCause],
		['where n8n keeps only its code', withoutCause],
	])('has the code of what went wrong, %s', async (_, keep) => {
		const certificate = await selfSignedCertificate();
		const tls = await startTlsService(certificate, good);
		services.push(tls);
		expect(await codeOf(keep(connectionTo(tls, once)))).toBe('DEPTH_ZERO_SELF_SIGNED_CERT');
		expect(tls.received).toEqual([]);

		const plain = await serving(good);
		const baseUrl = plain.baseUrl.replace('http:', 'https:');
		const wrongScheme = { credentials: { ...plain.credentials, baseUrl } };
		expect(await codeOf(keep(connectionTo(wrongScheme, once)))).toMatch(/^(EPROTO|ERR_SSL_)/);
		expect(plain.received).toEqual([]);

		const unknownHost = 'http://no-such-host.invalid/v3';
		const nowhere = { credentials: { ...plain.credentials, baseUrl: unknownHost } };
		expect(await codeOf(keep(connectionTo(nowhere, once)))).toMatch(/^(ENOTFOUND|EAI_AGAIN)$/);
	});

	test('is not made with a certificate for another host', async () => {
		const tls = await startTlsService(await selfSignedCertificate({ hosts: ['other.example'] }), good);
		services.push(tls);
		const settings = { timeout: 10_000 };
		expect(await codeOf(connectionTo(tls, { ...once, settings }))).toMatch(
			/^(DEPTH_ZERO_SELF_SIGNED_CERT|ERR_TLS_CERT_ALTNAME_INVALID)$/,
		);
		expect(tls.received).toEqual([]);
	});

	test('is made with a certificate of its own when n8n is told to ignore that', async () => {
		const tls = await startTlsService(await selfSignedCertificate(), good);
		services.push(tls);
		const settings = { timeout: 10_000, skipSslCertificateValidation: true };
		expect(await send(connectionTo(tls, { settings }), remove, readMessage)).toEqual({ id: '5' });
	});
});

describe('what n8n itself throws', () => {
	/** A connection whose requests end as n8n ended them. */
	function throwing(error: unknown): Connection {
		const connection = connectionTo({ credentials: { apiKey: KEY, region: 'us', appId: 'app' } });
		connection.context.helpers.httpRequestWithAuthentication = async () => {
			throw error;
		};
		return connection;
	}

	const wrapped = (message: string, more: object) => Object.assign(new Error(message), more);

	const timedOut = { code: 'ETIMEDOUT', syscall: 'connect' };

	test.each<[string, unknown, string, boolean]>([
		[
			'a connection that did not come about in time',
			wrapped('slow', timedOut),
			'ERR_CONNECT_TIMEOUT',
			false,
		],
		[
			'a response that did not come in time',
			wrapped('slow', { code: 'ETIMEDOUT' }),
			'ETIMEDOUT',
			true,
		],
		[
			'the error itself as the cause',
			wrapped('x', { cause: wrapped('slow', timedOut) }),
			'ERR_CONNECT_TIMEOUT',
			false,
		],
		[
			'a code in place of a status',
			wrapped('x', { httpCode: 'ECONNRESET', messages: ['slow'] }),
			'ECONNRESET',
			true,
		],
		[
			'a status of a response that broke off',
			wrapped('x', { httpCode: '200', messages: ['slow'] }),
			'ERR_BAD_RESPONSE',
			true,
		],
		['a code without words', wrapped('slow', { httpCode: 'EPIPE', messages: [{}] }), 'EPIPE', true],
		['a code without a list of words', wrapped('slow', { httpCode: 'EPIPE' }), 'EPIPE', true],
	])('%s is an error of the connection', async (_, error, code, outcomeUnknown) => {
		const connection = throwing(error);
		connection.retry = once.retry;
		expect(await failureOf(send(connection, remove, readMessage))).toMatchObject({
			error: { constructor: ConnectionError, code, message: 'slow' },
			outcomeUnknown,
		});
	});

	test.each<[string, unknown, string]>([
		['an error without a code', new Error('No credential'), 'No credential'],
		['a code that is none of the network', wrapped('No', { httpCode: 'not a code' }), 'No'],
		['an object with a message', { message: 'No' }, 'No'],
		['a text', 'No', 'No'],
		['nothing', undefined, 'undefined'],
	])('%s is told in its own words', async (_, error, message) => {
		const failure = await failureOf(send(throwing(error), remove, readMessage));
		expect(failure).toMatchObject({ error: { message }, attempts: 1, outcomeUnknown: false });
		expect(Object(failure).error).not.toBeInstanceOf(ConnectionError);
	});
});

describe('the time limit', () => {
	const settings = { timeout: 300 };

	/** Sends the head of a response and then a space at a time, for ever. */
	const trickling: Reply = (response) => {
		response.writeHead(200, { 'content-type': 'application/json' });
		const timer = setInterval(() => response.write(' '), 50);
		response.on('close', () => clearInterval(timer));
	};

	test.each<[string, Reply]>([
		['a service that never responds', silent],
		['a body that trickles', trickling],
	])('ends %s', async (_, reply) => {
		const service = await serving(reply);
		for (const request of [get, remove]) {
			const failure = await failureOf(
				send(connectionTo(service, { settings, ...once }), request, readMessage),
			);
			expect(failure).toMatchObject({
				error: { code: 'ETIMEDOUT', message: 'no complete response within 300 ms' },
				attempts: 1,
				outcomeUnknown: request.method !== 'GET',
			});
			expect(Object(failure).error).toBeInstanceOf(ConnectionError);
		}
	});

	test('is for each attempt, and what only reads gets another', async () => {
		const service = await serving(silent, good);
		expect(await send(connectionTo(service, { settings }), get, readMessage)).toEqual({ id: '5' });
		expect(service.received).toHaveLength(2);
	});

	test('is not up when the whole response has come in time', async () => {
		const service = await serving((response, request) => {
			setTimeout(() => good(response, request), 100);
		});
		expect(await send(connectionTo(service, { settings }), get, readMessage)).toEqual({ id: '5' });
	});
});

describe('the items of one run', () => {
	test('wait together while the rate is limited, and none goes on hammering', async () => {
		const service = await serving(limited, good);
		const limiter = new RequestLimiter({ maxInFlight: 1 });
		const requests = Array.from({ length: 6 }, (_, order) =>
			send(connectionTo(service, { limiter, order }), get, readMessage),
		);
		expect(await Promise.all(requests)).toHaveLength(6);
		const [first, ...later] = service.received;
		expect(later).toHaveLength(6);
		for (const { at } of later) expect(at - first.at).toBeGreaterThanOrEqual(199);
		limiter.stop();
	});

	test('give up together when one of them learns that the limit is long', async () => {
		const service = await serving(json(429, { a: 1 }, { 'retry-after': '3600' }));
		const limiter = new RequestLimiter({ maxInFlight: 1 });
		const failures = await Promise.all(
			[0, 1, 2].map((order) =>
				failureOf(send(connectionTo(service, { limiter, order }), remove, readMessage)),
			),
		);
		expect(failures.map((failure) => Object(failure).attempts)).toEqual([1, 0, 0]);
		expect(failures[0]).toMatchObject({ error: { response: { body: { a: 1 } } } });
		for (const unsent of failures.slice(1)) {
			expect(unsent).toMatchObject({
				error: { response: { statusCode: 429, headers: {}, body: undefined } },
				requiredMs: expect.any(Number),
				outcomeUnknown: false,
			});
		}
		expect(service.received).toHaveLength(1);
		limiter.stop();
	});

	test('of two runs wait together for the same app, and for no other', async () => {
		const [service, other] = [await serving(limited, good), await serving(good)];
		const refused = send(connectionTo(service), get, readMessage);
		while (service.received.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
		await new Promise((resolve) => setTimeout(resolve, 50));
		const late = send(connectionTo(service), get, readMessage);
		await send(connectionTo(other), get, readMessage);
		expect(service.received).toHaveLength(1);
		await Promise.all([refused, late]);
		const [first, ...later] = service.received.map(({ at }) => at);
		expect(later).toHaveLength(2);
		expect(Math.min(...later) - first).toBeGreaterThanOrEqual(199);
	});

	test('meet the rate limit of their app: in another region it is another app', async () => {
		const apps: string[] = [];
		class Listening extends RequestLimiter {
			override async send<T extends LimitedResponse>(
				_attempt: () => Promise<T>,
				{ limit }: Parameters<RequestLimiter['send']>[1],
			): Promise<T> {
				apps.push(limit);
				throw new StoppedError();
			}
		}
		const limiter = new Listening();
		const baseUrl = 'http://127.0.0.1:1/v3';
		const accounts: ICredentialDataDecryptedObject[] = [
			{ region: 'us', appId: 'one' },
			{ region: 'us', appId: 'one', apiKey: 'another key', baseUrl },
			{ region: 'us', appId: 'two' },
			{ region: 'eu', appId: 'one' },
			{ region: 'custom', appId: 'one', baseUrl },
			{ region: 'custom', appId: 'two', baseUrl },
			{ region: 'custom', appId: 'one', baseUrl: 'http://127.0.0.1:2/v3' },
		];
		for (const account of accounts) {
			const credentials = { apiKey: KEY, ...account };
			const connection = connectionTo({ credentials }, { limiter });
			await expect(send(connection, get, readMessage)).rejects.toThrow(StoppedError);
		}
		expect(apps.map((app) => apps.indexOf(app))).toEqual([0, 0, 2, 3, 4, 4, 6]);
		expect(apps.join()).not.toContain(KEY);
	});

	test('go in their order', async () => {
		const service = await serving(good);
		const limiter = new RequestLimiter({ maxInFlight: 1 });
		const paths = [0, 1, 2, 3].map((order) => ({
			order: (order * 3) % 4,
			request: { ...get, path: `/messages/${(order * 3) % 4}` },
		}));
		await Promise.all(
			paths.map(({ order, request }) =>
				send(connectionTo(service, { limiter, order }), request, readMessage),
			),
		);
		expect(service.received.map(({ url }) => url)).toEqual(
			[0, 1, 2, 3].map((order) => `/v3/messages/${order}`),
		);
		limiter.stop();
	});
});

describe('a page that is not wanted any more', () => {
	test('is not sent', async () => {
		const service = await serving(good);
		const connection = connectionTo(service, { unwanted: AbortSignal.abort() });
		expect(await failureOf(send(connection, get, readMessage))).toBeInstanceOf(StoppedError);
		expect(service.received).toEqual([]);
	});

	test('is left while it is under way', async () => {
		const unwanted = new AbortController();
		const service = await serving(() => setTimeout(() => unwanted.abort(), 20), good);
		const connection = connectionTo(service, { unwanted: unwanted.signal });
		expect(await failureOf(send(connection, get, readMessage))).toBeInstanceOf(StoppedError);
		expect(service.received).toHaveLength(1);
	});
});

describe('stopping', () => {
	test('ends a wait at once, and nothing is sent afterwards', async () => {
		const cancel = new AbortController();
		const service = await serving((response, request) => {
			json(503, {}, { 'retry-after': '5' })(response, request);
			response.on('close', () => setTimeout(() => cancel.abort(), 50));
		}, good);
		const from = Date.now();
		const connection = connectionTo(service, {}, cancel.signal);
		expect(await failureOf(send(connection, get, readMessage))).toBeInstanceOf(StoppedError);
		expect(Date.now() - from).toBeLessThan(4_000);
		expect(service.received).toHaveLength(1);
	});

	test('ends a request for something that is under way', async () => {
		const cancel = new AbortController();
		const closed = new Promise((resolve) => {
			void serving((response) => {
				response.on('close', resolve);
				setTimeout(() => cancel.abort(), 20);
			}, good);
		});
		await new Promise((resolve) => setImmediate(resolve));
		while (services.length === 0) await new Promise((resolve) => setImmediate(resolve));
		const [service] = services;
		const connection = connectionTo(service, {}, cancel.signal);
		const error = await failureOf(send(connection, get, readMessage));
		expect(error).toBeInstanceOf(StoppedError);
		expect(error).not.toBeInstanceOf(InterruptedError);
		expect(service.received).toHaveLength(1);
		await closed;
	});

	test('lets what changes something finish, so that its outcome is known', async () => {
		const cancel = new AbortController();
		const service = await serving((response, request) => {
			cancel.abort();
			setTimeout(() => good(response, request), 300);
		});
		const connection = connectionTo(service, {}, cancel.signal);
		expect(await send(connection, remove, readMessage)).toEqual({ id: '5' });
	});

	test('does not wait for ever for what changes something: its outcome is not known then', async () => {
		const cancel = new AbortController();
		const service = await serving(() => cancel.abort());
		const connection = connectionTo(service, {}, cancel.signal);
		const error = await failureOf(send(connection, remove, readMessage));
		expect(error).toBeInstanceOf(InterruptedError);
		expect(error).toMatchObject({ failure: { failure: { outcomeUnknown: true, attempts: 1 } } });
	});

	test('before anything was sent sends nothing', async () => {
		const service = await serving(good);
		const connection = connectionTo(service, {}, AbortSignal.abort());
		const error = await failureOf(send(connection, remove, readMessage));
		expect(error).toBeInstanceOf(StoppedError);
		expect(error).not.toBeInstanceOf(InterruptedError);
		expect(service.received).toEqual([]);
	});

	test('a rate limit that comes while stopping leaves nothing open', async () => {
		const cancel = new AbortController();
		const service = await serving((response, request) => {
			cancel.abort();
			limited(response, request);
		});
		const connection = connectionTo(service, {}, cancel.signal);
		const error = await failureOf(send(connection, remove, readMessage));
		expect(error).toBeInstanceOf(StoppedError);
		expect(error).not.toBeInstanceOf(InterruptedError);
	});
});

test('no request leaves a listener on a signal that outlives it', async () => {
	const cancel = new AbortController();
	const unwanted = new AbortController();
	const service = await serving(good, json(404, {}), cut, good);
	const connection = connectionTo(service, { unwanted: unwanted.signal }, cancel.signal);
	const listeners = () =>
		[cancel.signal, unwanted.signal, connection.limiter.signal].map(
			(signal) => getEventListeners(signal, 'abort').length,
		);
	const before = listeners();
	await send(connection, get, readMessage);
	await failureOf(send(connection, get, readMessage));
	await failureOf(send(connection, remove, readMessage));
	await send(connection, remove, readMessage);
	expect(listeners()).toEqual(before);
});
