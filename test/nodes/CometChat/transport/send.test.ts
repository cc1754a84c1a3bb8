import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { messageOf } from '../../../../nodes/CometChat/transport/answer';
import {
	ConnectionError,
	SendError,
	StatusError,
} from '../../../../nodes/CometChat/transport/errors';
import { Pace, StoppedError } from '../../../../nodes/CometChat/transport/pace';
import type { Channel } from '../../../../nodes/CometChat/transport/send';
import { send } from '../../../../nodes/CometChat/transport/send';
import type { RestRequest } from '../../../../nodes/CometChat/transport/types';
import { contextsOf } from '../context';
import type { Reply, Service } from '../service';
import { KEY, cut, json, startService } from '../service';

const services: Service[] = [];

async function serving(...replies: Reply[]): Promise<Service> {
	const service = await startService(...replies);
	services.push(service);
	return service;
}

afterEach(async () => {
	for (const service of services.splice(0)) await service.close();
});

function channelTo(
	service: { credentials: ICredentialDataDecryptedObject },
	changes: Partial<Channel> = {},
	signal?: AbortSignal,
): Channel {
	const { credentials } = service;
	const [context] = contextsOf({ credentials, signal });
	const patience = { maxTries: 4, maxWaitMs: 10_000 };
	return { context, credentials, settings: {}, pace: new Pace(8, signal), patience, ...changes };
}

const get: RestRequest = { method: 'GET', path: '/messages/5', query: {} };
const remove: RestRequest = {
	method: 'DELETE',
	path: '/messages/5/reactions/%F0%9F%91%8D',
	query: {},
	onBehalfOf: 'ann',
};

const good = json(200, { data: { id: '5' } });
const limited = json(429, { error: { code: 'ERR_TOO_MANY_REQUESTS' } }, { 'retry-after': '0.2' });
const busy = json(503, {}, { 'retry-after': '0' });

async function failureOf(promise: Promise<unknown>): Promise<unknown> {
	return await promise.then(
		() => 'it was answered',
		(error: unknown) => (error instanceof SendError ? error.failure : error),
	);
}

const refusedPort = async () => {
	const service = await startService(good);
	await service.close();
	return service;
};

describe('one request', () => {
	test('leaves as it was made, with the key, and gives what is read from its answer', async () => {
		const service = await serving(good);
		expect(await send(channelTo(service), remove, messageOf)).toEqual({ id: '5' });
		expect(service.received).toHaveLength(1);
		expect(service.received[0]).toMatchObject({
			method: 'DELETE',
			url: '/v3/messages/5/reactions/%F0%9F%91%8D',
			headers: { apikey: KEY, onbehalfof: 'ann' },
		});
	});

	test('holds only what was set: no user header and no query unless there is one', async () => {
		const service = await serving(good);
		await send(channelTo(service), get, messageOf);
		await send(channelTo(service), { ...get, query: { tags: 'a,b&c', page: 2 } }, messageOf);
		expect(service.received[0].url).toBe('/v3/messages/5');
		expect(service.received[0].headers).not.toHaveProperty('onbehalfof');
		const query = new URL(String(service.received[1].url), service.baseUrl).searchParams;
		expect([...query]).toEqual([
			['tags', 'a,b&c'],
			['page', '2'],
		]);
	});

	test('does not follow a redirect, so that the key goes nowhere else', async () => {
		const other = await serving(good);
		const service = await serving(json(302, {}, { location: `${other.baseUrl}/messages/5` }));
		expect(await failureOf(send(channelTo(service), get, messageOf))).toMatchObject({
			error: expect.any(StatusError),
			tries: 1,
		});
		expect(other.received).toEqual([]);
	});

	test.each([400, 401, 403, 404, 500])('is not sent again after status %i', async (status) => {
		const service = await serving(json(status, { error: { code: 'X' } }));
		const failure = await failureOf(send(channelTo(service), get, messageOf));
		expect(failure).toMatchObject({
			error: { answer: { statusCode: status, body: { error: { code: 'X' } } } },
			tries: 1,
			waitedMs: 0,
			maybeDone: false,
		});
		expect(service.received).toHaveLength(1);
	});

	test('that a wrong credential stops never leaves, and the reason is told', async () => {
		const credentials = { apiKey: KEY, region: 'us', appId: 'evil.example/' };
		const failure = await failureOf(send(channelTo({ credentials }), get, messageOf));
		expect(failure).toMatchObject({
			error: { message: expect.stringContaining('"App ID" in the CometChat credential') },
		});
	});

	test('whose answer is no answer is not sent again', async () => {
		const service = await serving((response) => response.end('<html>'));
		expect(await failureOf(send(channelTo(service), remove, messageOf))).toMatchObject({
			error: { message: expect.stringContaining('a web page (HTML) with status 200') },
			tries: 1,
			maybeDone: true,
		});
		expect(service.received).toHaveLength(1);
	});
});

/** Begins an answer with status 200, and cuts the connection in the middle of it. */
const breakOff: Reply = (response) => {
	response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
	response.write('{"data":', () => response.socket?.destroy());
};

/** As many versions of n8n give an error of the connection: wrapped, without the error itself. */
function withoutCause(channel: Channel): Channel {
	const { helpers } = channel.context;
	const request = helpers.httpRequestWithAuthentication;
	helpers.httpRequestWithAuthentication = async function (...args) {
		try {
			return await request.apply(this, args);
		} catch (error) {
			if (error instanceof Error) delete error.cause;
			throw error;
		}
	};
	return channel;
}

describe('another try', () => {
	test.each([
		['a cut connection', cut],
		['an answer that breaks off', breakOff],
	])('comes after %s, also where n8n keeps only the code of the error', async (_, reply) => {
		const service = await serving(reply, good);
		expect(await send(withoutCause(channelTo(service)), get, messageOf)).toEqual({ id: '5' });
		expect(service.received).toHaveLength(2);
	});

	test('that fails as well tells the code and the words of the error, whatever n8n keeps', async () => {
		const patience = { maxTries: 2, maxWaitMs: 10_000 };
		for (const keep of [(channel: Channel) => channel, withoutCause]) {
			const channel = keep(channelTo(await serving(cut), { patience }));
			expect(await failureOf(send(channel, get, messageOf))).toMatchObject({
				error: { code: 'ECONNRESET', message: 'socket hang up' },
				tries: 2,
			});
		}
	});

	test('comes after a rate limit, when the time that the service asked for is over', async () => {
		const service = await serving(limited, good);
		expect(await send(channelTo(service), remove, messageOf)).toEqual({ id: '5' });
		const [first, second] = service.received;
		expect(second.at - first.at).toBeGreaterThanOrEqual(199);
	});

	test('comes after 503, for what changes something too', async () => {
		const service = await serving(busy, busy, good);
		await send(channelTo(service), remove, messageOf);
		expect(service.received).toHaveLength(3);
	});

	test('comes after a cut connection, for what only reads', async () => {
		const service = await serving(cut, good);
		expect(await send(channelTo(service), get, messageOf)).toEqual({ id: '5' });
		expect(service.received).toHaveLength(2);
	});

	test('does not come after a cut connection when something may have been changed', async () => {
		const service = await serving(cut, good);
		const failure = await failureOf(send(channelTo(service), remove, messageOf));
		expect(failure).toMatchObject({
			error: expect.any(ConnectionError),
			tries: 1,
			maybeDone: true,
		});
		expect(service.received).toHaveLength(1);
	});

	test('comes after a timeout that n8n was told to keep', async () => {
		const service = await serving(() => {}, good);
		const settings = { timeout: 100 };
		expect(await send(channelTo(service, { settings }), get, messageOf)).toEqual({ id: '5' });
		const silent = await serving(() => {});
		const patience = { maxTries: 1, maxWaitMs: 10_000 };
		const failure = await failureOf(
			send(channelTo(silent, { settings, patience }), get, messageOf),
		);
		expect(failure).toMatchObject({ error: { code: 'ECONNABORTED' }, tries: 1 });
	});

	test('comes as often as allowed, and then what is known is told', async () => {
		const service = await serving(busy);
		const failure = await failureOf(send(channelTo(service), remove, messageOf));
		expect(failure).toMatchObject({ tries: 4, maybeDone: false });
		expect(failure).toHaveProperty('error.answer.statusCode', 503);
		expect(service.received).toHaveLength(4);
	});

	test('of a refused connection comes too', async () => {
		const patience = { maxTries: 2, maxWaitMs: 10_000 };
		const failure = await failureOf(
			send(channelTo(await refusedPort(), { patience }), remove, messageOf),
		);
		expect(failure).toMatchObject({ error: { code: 'ECONNREFUSED' }, tries: 2, maybeDone: false });
		expect(failure).toHaveProperty('waitedMs', expect.any(Number));
	});

	test.each([429, 503])(
		'that would have to wait longer than allowed after status %i is not waited for',
		async (status) => {
			const service = await serving(json(status, {}, { 'retry-after': '3600' }));
			const failure = await failureOf(send(channelTo(service), get, messageOf));
			expect(failure).toMatchObject({ tries: 1, forbiddenMs: 3_600_000 });
			expect(service.received).toHaveLength(1);
		},
	);

	test('has the wait told that there really was', async () => {
		const patience = { maxTries: 2, maxWaitMs: 10_000 };
		const service = await serving(limited);
		const failure = await failureOf(send(channelTo(service, { patience }), get, messageOf));
		expect(failure).toMatchObject({ tries: 2 });
		const [first, second] = service.received;
		const { waitedMs } = Object(failure);
		expect(waitedMs).toBeGreaterThanOrEqual(199);
		expect(waitedMs).toBeLessThanOrEqual(second.at - first.at + 50);
	});
});

describe('the items of one run', () => {
	test('wait together while the rate is limited, and none goes on hammering', async () => {
		const service = await serving(limited, good);
		const pace = new Pace(1);
		const requests = Array.from({ length: 6 }, () =>
			send(channelTo(service, { pace }), get, messageOf),
		);
		expect(await Promise.all(requests)).toHaveLength(6);
		const [first, ...later] = service.received;
		expect(later).toHaveLength(6);
		for (const { at } of later) expect(at - first.at).toBeGreaterThanOrEqual(199);
	});

	test('that were not sent because of a long limit say so, with no tries', async () => {
		const pace = new Pace();
		pace.pause(3_600_000);
		const service = await serving(good);
		const failure = await failureOf(send(channelTo(service, { pace }), get, messageOf));
		expect(failure).toMatchObject({ tries: 0, error: { answer: { statusCode: 429 } } });
		expect(Object(failure).forbiddenMs).toBeGreaterThan(3_500_000);
		expect(service.received).toEqual([]);
	});

	test('give up together when one of them learns that the limit is long', async () => {
		const service = await serving(json(429, {}, { 'retry-after': '3600' }));
		const pace = new Pace(1);
		const failures = await Promise.all(
			[1, 2, 3].map(() => failureOf(send(channelTo(service, { pace }), get, messageOf))),
		);
		expect(failures.map((failure) => Object(failure).tries)).toEqual([1, 0, 0]);
		expect(service.received).toHaveLength(1);
	});

	test('a page that is no longer wanted is not sent', async () => {
		const service = await serving(good);
		const channel = channelTo(service, { isWanted: () => false });
		expect(await failureOf(send(channel, get, messageOf))).toBeInstanceOf(StoppedError);
		expect(service.received).toEqual([]);
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
		const channel = channelTo(service, {}, cancel.signal);
		expect(await failureOf(send(channel, get, messageOf))).toBeInstanceOf(StoppedError);
		expect(Date.now() - from).toBeLessThan(4_000);
		expect(service.received).toHaveLength(1);
	});

	test('ends a request that is under way', async () => {
		const cancel = new AbortController();
		const service = await serving(() => setTimeout(() => cancel.abort(), 20), good);
		// A pace of its own, so that only n8n's signal can end the request
		const channel = channelTo(service, { pace: new Pace() }, cancel.signal);
		expect(await failureOf(send(channel, get, messageOf))).toBeInstanceOf(StoppedError);
		expect(service.received).toHaveLength(1);
	});
});
