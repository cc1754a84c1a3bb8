import type { CallKind, FaultEffect } from '../../sandbox/faults';
import { call, errorOf, useSandbox, type Answer } from './client';

const sandbox = useSandbox();

const always = (effect: FaultEffect): void => sandbox().setFaults([{ effect }]);
const get = (): Promise<Answer> => call(sandbox(), '/messages/101');

async function statuses(count: number): Promise<number[]> {
	const seen: number[] = [];
	for (let n = 0; n < count; n++) seen.push((await get()).status);
	return seen;
}

/** Waits for the next span of so many milliseconds of the clock to begin. */
async function nextSpan(ms: number): Promise<void> {
	const span = Math.floor(Date.now() / ms);
	while (Math.floor(Date.now() / ms) === span)
		await new Promise((resolve) => setTimeout(resolve, 5));
}

describe('a window', () => {
	test('lets so many requests through in each span of the clock', async () => {
		always({ window: { requests: 3, ms: 1000 } });
		await get();
		await nextSpan(1000);
		expect(await statuses(5)).toEqual([200, 200, 200, 429, 429]);
		await nextSpan(1000);
		expect(await statuses(4)).toEqual([200, 200, 200, 429]);
	});

	test('counts the requests of everyone together', async () => {
		always({ window: { requests: 10, ms: 3_600_000 } });
		const answers = await Promise.all(Array.from({ length: 30 }, get));
		expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
		expect(errorOf(answers.find(({ status }) => status === 429) as Answer).code).toBe(
			'ERR_TOO_MANY_REQUESTS',
		);
	});

	test.each<[FaultEffect['window'] & object, string | undefined]>([
		[{ requests: 1, ms: 3_600_000_000, retryAfter: '0' }, '0'],
		[{ requests: 1, ms: 3_600_000_000, retryAfter: 'none' }, undefined],
	])('%j tells Retry-After %s', async (window, expected) => {
		always({ window });
		await get();
		expect((await get()).headers['retry-after']).toBe(expected);
	});

	test('tells the seconds that are left, or the date', async () => {
		const ms = 3_600_000_000;
		const left = () => Math.ceil((ms - (Date.now() % ms)) / 1000);
		always({ window: { requests: 1, ms } });
		await get();
		expect(Math.abs(Number((await get()).headers['retry-after']) - left())).toBeLessThanOrEqual(1);
		always({ window: { requests: 1, ms, retryAfter: 'date' } });
		await get();
		const date = Date.parse(String((await get()).headers['retry-after']));
		expect(Math.abs((date - Date.now()) / 1000 - left())).toBeLessThanOrEqual(2);
		always({ window: { requests: 1, ms, retryAfter: 'past' } });
		await get();
		expect(Date.parse(String((await get()).headers['retry-after']))).toBeLessThan(Date.now());
	});

	test.each([
		{ requests: 0, ms: 1000 },
		{ requests: 1, ms: 0 },
	])('%j is refused', (window) => {
		expect(() => always({ window })).toThrow(RangeError);
	});
});

describe('headers', () => {
	const MS = 3_600_000_000;
	const limited = ({ headers }: Answer) =>
		Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('x-')));
	const reset = () => String(Math.ceil(((Math.floor(Date.now() / MS) + 1) * MS) / 1000));

	test('are not there unless asked for', async () => {
		always({ window: { requests: 2, ms: MS } });
		expect(limited(await get())).toEqual({});
	});

	test.each([
		['x-rate-limit', ['x-rate-limit', 'x-rate-limit-remaining', 'x-rate-limit-reset']],
		['x-ratelimit', ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset']],
	] as const)('%s are on every response', async (rateHeaders, [limit, remaining, until]) => {
		always({ window: { requests: 2, ms: MS, rateHeaders } });
		const answers = [await get(), await get(), await get()];
		expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
		expect(answers.map(limited)).toEqual(
			['1', '0', '0'].map((left) => ({ [limit]: '2', [remaining]: left, [until]: reset() })),
		);
	});

	test('tell the reset on refused responses only, where the service does so', async () => {
		const rateHeaders = 'x-rate-limit';
		always({ window: { requests: 1, ms: MS, rateHeaders, resetHeader: 'refused' } });
		const [passed, refused] = [await get(), await get()].map(limited);
		expect(passed).not.toHaveProperty('x-rate-limit-reset');
		expect(refused['x-rate-limit-reset']).toBe(reset());
	});

	test('of a token bucket count its tokens', async () => {
		always({ tokenBucket: { perMinute: 1, burst: 3, rateHeaders: 'x-ratelimit' } });
		const answers = [await get(), await get(), await get(), await get()];
		expect(answers.map(({ headers }) => headers['x-ratelimit-remaining'])).toEqual([
			'2',
			'1',
			'0',
			'0',
		]);
		const full = Number(answers[3].headers['x-ratelimit-reset']) - Date.now() / 1000;
		expect(Math.abs(full - 180)).toBeLessThan(3);
	});

	test('can be anything, Retry-After too', async () => {
		const rateHeaders = {
			'x-rate-limit-remaining': '-1e400',
			'x-rate-limit-reset': 'tomorrow',
			'retry-after': '99999999999999999999',
		};
		always({ window: { requests: 1, ms: MS, rateHeaders } });
		for (const status of [200, 429]) {
			const answer = await get();
			expect(answer.status).toBe(status);
			expect(answer.headers).toMatchObject(rateHeaders);
		}
	});

	test('are there when the limit belongs to some requests only', async () => {
		const window = { requests: 1, ms: MS, rateHeaders: 'x-rate-limit' } as const;
		sandbox().setFaults([{ match: { path: '/v3/groups' }, effect: { window } }]);
		expect(limited(await get())).toEqual({});
		expect(limited(await call(sandbox(), '/groups'))).not.toEqual({});
	});
});

describe('a kind of call', () => {
	const HOUR = 3_600_000_000;
	const once = (kind: CallKind) =>
		sandbox().setFaults([{ match: { kind }, effect: { window: { requests: 1, ms: HOUR } } }]);
	const statusOf = async (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, as?: string) =>
		(await call(sandbox(), path, { method, as, json: method === 'GET' ? undefined : {} })).status;

	const CALLS = [
		['POST', '/messages', 'send'],
		['POST', '/messages/101/thread', 'send'],
		['GET', '/messages', 'standard'],
		['PUT', '/messages/101', 'standard'],
		['POST', '/messages/101/reactions/x', 'standard'],
		['POST', '/users', 'core'],
		['DELETE', '/users/nobody', 'core'],
		['DELETE', '/users', 'standard'],
		['PUT', '/users/nobody', 'standard'],
		['POST', '/groups', 'core'],
		['DELETE', '/groups/none', 'standard'],
		['POST', '/groups/none/members', 'core'],
		['DELETE', '/groups/none/members/nobody', 'core'],
		['GET', '/groups/none/members', 'standard'],
		['PUT', '/groups/none/members/nobody', 'standard'],
	] as const;

	test.each(CALLS)('%s %s is of the kind %s', async (method, path, expected) => {
		const refusedBy: CallKind[] = [];
		for (const kind of ['standard', 'core', 'send'] as const) {
			once(kind);
			await statusOf(method, path);
			if ((await statusOf(method, path)) === 429) refusedBy.push(kind);
		}
		expect(refusedBy).toEqual([expected]);
	});

	test('has one limit for all callers, and sends one for each sender', async () => {
		const refused = async (path: string) => {
			const statuses: number[] = [];
			for (const as of ['iris', 'Iris', 'jonas', undefined, undefined])
				statuses.push(await statusOf('POST', path, as));
			return statuses.map((status) => status === 429);
		};
		once('core');
		expect(await refused('/groups')).toEqual([false, true, true, true, true]);
		once('send');
		expect(await refused('/messages')).toEqual([false, true, false, false, true]);
	});

	test('is told where the address names the app', async () => {
		once('send');
		const { url, appId, apiKey } = sandbox();
		const send = async () =>
			(
				await fetch(`${url}/app/${appId}/v3/messages`, {
					method: 'POST',
					headers: { apikey: apiKey },
				})
			).status;
		expect([await send(), await send()]).toEqual([400, 429]);
	});
});

test('of two limits the one with the longer wait is told', async () => {
	sandbox().setFaults([
		{ effect: { tokenBucket: { perMinute: 60, burst: 1 } } },
		{ effect: { tokenBucket: { perMinute: 2, burst: 1 } } },
	]);
	await get();
	expect((await get()).headers['retry-after']).toBe('30');
});
