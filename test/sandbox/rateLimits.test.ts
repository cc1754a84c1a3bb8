import type { CallKind, FaultEffect } from '../../sandbox/faults';
import { call, useSandbox, type Answer } from './client';

const sandbox = useSandbox();

/** Longer than the test, so that no span of the clock ends within it. */
const MS = 3_600_000_000;

const always = (...effects: FaultEffect[]): void =>
	sandbox().setFaults(effects.map((effect) => ({ effect })));
const get = (): Promise<Answer> => call(sandbox(), '/messages/101');

async function statuses(count: number): Promise<number[]> {
	const seen: number[] = [];
	for (let n = 0; n < count; n++) seen.push((await get()).status);
	return seen;
}

const refused = async (): Promise<Answer> => {
	await get();
	return get();
};

test('a window lets so many requests through in each span of the clock', async () => {
	const nextSpan = async () => {
		const span = Math.floor(Date.now() / 1000);
		while (Math.floor(Date.now() / 1000) === span)
			await new Promise((resolve) => setTimeout(resolve, 5));
	};
	always({ window: { requests: 3, ms: 1000 } });
	await get();
	await nextSpan();
	expect(await statuses(5)).toEqual([200, 200, 200, 429, 429]);
	await nextSpan();
	expect(await statuses(4)).toEqual([200, 200, 200, 429]);
});

test('a token bucket lets the burst through, then as much as flows in', async () => {
	always({ tokenBucket: { perMinute: 60, burst: 3 } });
	expect(await statuses(4)).toEqual([200, 200, 200, 429]);
	await new Promise((resolve) => setTimeout(resolve, 1100));
	expect(await statuses(1)).toEqual([200]);
});

test.each<[FaultEffect, string | undefined]>([
	[{ window: { requests: 1, ms: MS, retryAfter: '0' } }, '0'],
	[{ window: { requests: 1, ms: MS, retryAfter: 'none' } }, undefined],
	[{ tokenBucket: { perMinute: 1, burst: 1, retryAfter: 'none' } }, undefined],
	[{ tokenBucket: { perMinute: 12, burst: 1 } }, '5'],
	[{ tokenBucket: { perMinute: 12, burst: 1, timeScale: 5 } }, '1'],
])('%j tells Retry-After %s', async (effect, expected) => {
	always(effect);
	const answer = await refused();
	expect([answer.status, answer.headers['retry-after']]).toEqual([429, expected]);
});

test('a window tells the seconds that are left, or the date, or one that has passed', async () => {
	const value = async (retryAfter: 'seconds' | 'date' | 'past') => {
		always({ window: { requests: 1, ms: MS, retryAfter } });
		return String((await refused()).headers['retry-after']);
	};
	const left = Math.ceil((MS - (Date.now() % MS)) / 1000);
	expect(Math.abs(Number(await value('seconds')) - left)).toBeLessThanOrEqual(2);
	const date = (Date.parse(await value('date')) - Date.now()) / 1000;
	expect(Math.abs(date - left)).toBeLessThanOrEqual(3);
	expect(Date.parse(await value('past'))).toBeLessThan(Date.now());
});

describe('headers', () => {
	const limited = ({ headers }: Answer) =>
		Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('x-')));
	const reset = () => String(Math.ceil(((Math.floor(Date.now() / MS) + 1) * MS) / 1000));

	test('are there when asked for, of a limit that counts the request', async () => {
		const window = { requests: 2, ms: MS };
		always({ window });
		expect(limited(await get())).toEqual({});
		const effect = { window: { ...window, rateHeaders: 'x-rate-limit' as const } };
		sandbox().setFaults([{ match: { path: '/v3/groups' }, effect }]);
		expect(limited(await get())).toEqual({});
		expect(limited(await call(sandbox(), '/groups'))).not.toEqual({});
	});

	test.each([
		['x-rate-limit', ['x-rate-limit', 'x-rate-limit-remaining', 'x-rate-limit-reset']],
		['x-ratelimit', ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset']],
	] as const)('%s are on every response', async (rateHeaders, [limit, remaining, until]) => {
		const isOnAll = rateHeaders === 'x-ratelimit';
		always({ window: { requests: 2, ms: MS, rateHeaders } });
		const answers = [await get(), await get(), await get()];
		expect(answers.map(limited)).toEqual(
			['1', '0', '0'].map((left, index) => ({
				[limit]: '2',
				[remaining]: left,
				...(isOnAll || index === 2 ? { [until]: reset() } : {}),
			})),
		);
	});
});

describe('a kind of call', () => {
	const once = (kind: CallKind) =>
		sandbox().setFaults([{ match: { kind }, effect: { window: { requests: 1, ms: MS } } }]);
	const statusOf = async (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, as?: string) =>
		(await call(sandbox(), path, { method, as, json: method === 'GET' ? undefined : {} })).status;

	test.each([
		['POST', '/messages', 'send'],
		['POST', '/messages/101/thread', 'send'],
		['GET', '/messages', 'standard'],
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
	] as const)('%s %s is of the kind %s', async (method, path, expected) => {
		const refusedBy: CallKind[] = [];
		for (const kind of ['standard', 'core', 'send'] as const) {
			once(kind);
			await statusOf(method, path);
			if ((await statusOf(method, path)) === 429) refusedBy.push(kind);
		}
		expect(refusedBy).toEqual([expected]);
	});

	test('has one limit for all callers, and sends one for each sender', async () => {
		const isRefused = async (path: string) => {
			const seen: number[] = [];
			for (const as of ['iris', 'Iris', 'jonas', undefined, undefined])
				seen.push(await statusOf('POST', path, as));
			return seen.map((status) => status === 429);
		};
		once('core');
		expect(await isRefused('/groups')).toEqual([false, true, true, true, true]);
		once('send');
		expect(await isRefused('/messages')).toEqual([false, true, false, false, true]);
	});
});
