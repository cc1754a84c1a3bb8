import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { StoppedError } from '../../../nodes/CometChat/transport/failure';
import { RequestLimiter, SharedRateLimits } from '../../../nodes/CometChat/transport/limiter';
import type { Clock } from '../../../nodes/CometChat/helpers/clock';
import { Client, type ClientOptions } from '../../../nodes/CometChat/transport/client';
import {
	DEFAULT_MAX_ATTEMPTS,
	DEFAULT_MAX_WAIT_SECONDS,
} from '../../../nodes/CometChat/transport/retry';
import type { RestRequest, RestResponse } from '../../../nodes/CometChat/transport/restTypes';
import { KEY, createRunContext, mockRequests, type Respond } from '../context';

const credentials = { apiKey: ` ${KEY} `, region: 'us', appId: 'app' };

const get: RestRequest = { method: 'GET', path: '/messages/5' };

/** Creates a clock that advances immediately instead of sleeping. */
function createQuickClock(): Clock {
	let now = Date.now();
	const sleep = (ms: number) => {
		now += ms;
		return Promise.resolve();
	};
	return { now: () => now, systemTime: () => now, sleep };
}

const createLimiter = (clock = createQuickClock(), signal?: AbortSignal) => {
	const limiter = new RequestLimiter(signal, new SharedRateLimits(clock));
	limiters.push(limiter);
	return limiter;
};

const limiters: RequestLimiter[] = [];

afterEach(() => {
	jest.restoreAllMocks();
	for (const limiter of limiters.splice(0)) limiter.stop();
});

const createClient = (respond: Respond, changes: Partial<ClientOptions> = {}) =>
	new Client({
		context: mockRequests(createRunContext({ credentials }), respond),
		credentials,
		timeoutMs: 10_000,
		limiter: createLimiter(),
		maxAttempts: 4,
		maxWaitMs: 10_000,
		...changes,
	});

const readBody = ({ body }: RestResponse) => body;

/** Sends a request that is expected to fail, and returns the failure. */
const catchFailure = async (client: Client): Promise<unknown> =>
	await client.sendAndRead(get, readBody).catch((error: unknown) => Object(error).failure);

describe("A retry doesn't follow", () => {
	beforeEach(() => jest.spyOn(Math, 'random').mockReturnValue(0));

	test.each([429, 503])('if the wait is too long: status %i', async (statusCode) => {
		const response = { statusCode, headers: { 'retry-after': '11' }, a: 1 };
		expect(await catchFailure(createClient(() => response))).toMatchObject({
			attempts: 1,
			elapsedMs: 0,
			disallowedWaitMs: expect.any(Number),
			isRepeatable: true,
			error: { response: { statusCode, body: { a: 1 } } },
		});
	});

	test('if all attempts together take too long', async () => {
		const clock = createQuickClock();
		const respond = async () => {
			await clock.sleep(4_000);
			return { statusCode: 503 };
		};
		const client = createClient(respond, { limiter: createLimiter(clock) });
		expect(await catchFailure(client)).toMatchObject({
			attempts: 3,
			elapsedMs: 12_750,
			disallowedWaitMs: 1_000,
		});
	});
});

describe('A denied access to a message', () => {
	const denied = { statusCode: 403, error: { code: 'ERR_MESSAGE_NO_ACCESS' } };

	/** Sends a request for a message that users may see after the given time. */
	const readMessageAfter = async (pendingMs: number) => {
		const clock = createQuickClock();
		const visibleAt = clock.now() + pendingMs;
		const client = createClient(() => (clock.now() < visibleAt ? denied : { statusCode: 200 }), {
			limiter: createLimiter(clock),
			maxAttempts: DEFAULT_MAX_ATTEMPTS,
			maxWaitMs: DEFAULT_MAX_WAIT_SECONDS * 1_000,
		});
		return await catchFailure(client);
	};

	test.each([2_000, 2_850, 5_000, 9_000, 15_000])(
		'ends within 15 seconds with the default settings: after %i ms',
		async (pendingMs) => {
			expect(await readMessageAfter(pendingMs)).not.toHaveProperty('attempts');
		},
	);

	test('counts as permanent afterwards', async () => {
		expect(await readMessageAfter(60_000)).toMatchObject({ attempts: 6, elapsedMs: 15_500 });
	});
});

test('A request in flight is aborted when the user cancels the execution', async () => {
	const cancel = new AbortController();
	const hang = async () => {
		setImmediate(() => cancel.abort());
		return await new Promise(() => {});
	};
	const client = createClient(hang, { limiter: createLimiter(undefined, cancel.signal) });
	await expect(client.sendAndRead(get, readBody)).rejects.toBeInstanceOf(StoppedError);
});

test("counts requests against the limit for their app, key, and kind, and messages against their sender's limit", async () => {
	const counted: string[] = [];
	const limiter = createLimiter();
	jest.spyOn(limiter, 'send').mockImplementation((limit) => {
		counted.push(limit);
		return Promise.reject(new StoppedError());
	});
	const actAs = (onBehalfOf: string): RestRequest => ({ ...get, headers: { onBehalfOf } });
	const withCredential = (changes: ICredentialDataDecryptedObject) => ({
		credentials: { ...credentials, ...changes },
	});
	/**
	 * The last column contains the rate limit that each request is expected to count against. Rows with the
	 * same number share a limit.
	 */
	const rows: Array<[Partial<ClientOptions>, RestRequest, number]> = [
		[{}, get, 0],
		[withCredential({ apiKey: KEY }), actAs('ann'), 0],
		[withCredential({ appId: 'other' }), get, 2],
		[withCredential({ region: 'eu' }), get, 3],
		[withCredential({ apiKey: KEY.replace('f', 'a') }), get, 4],
		[{ rateLimit: 'core' }, get, 5],
		[{ rateLimit: 'core' }, actAs('ann'), 5],
		[{ rateLimit: 'send' }, get, 7],
		[{ rateLimit: 'send' }, actAs('APP_system'), 7],
		[{ rateLimit: 'send' }, actAs('Ann'), 9],
		[{ rateLimit: 'send' }, actAs('ann'), 9],
	];
	for (const [changes, request] of rows) {
		const client = createClient(() => ({}), { limiter, ...changes });
		await expect(client.sendAndRead(request, readBody)).rejects.toThrow(StoppedError);
	}
	expect(counted.map((limit) => counted.indexOf(limit))).toEqual(
		rows.map(([, , expected]) => expected),
	);
});

test('A request of a run that is older than the longest wait is still retried', async () => {
	const clock = createQuickClock();
	const limiter = createLimiter(clock);
	await clock.sleep(400_000);
	let attempts = 0;
	const client = createClient(() => ({ statusCode: ++attempts === 1 ? 503 : 200, a: 1 }), {
		limiter,
	});
	expect(await client.sendAndRead(get, readBody)).toEqual({ a: 1 });
});
