import type { FaultEffect, FaultPlan } from '../../sandbox/faults';
import { retryAfter } from '../../sandbox/rateLimits';
import { startSandbox, type Sandbox } from '../../sandbox/server';
import { call, errorOf, guidsOf, listOf, removeReaction, type Answer } from './client';

let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox();
});
afterEach(() => sandbox.reset());
afterAll(() => sandbox.close());

const always = (effect: FaultEffect): void => sandbox.setFaults([{ effect }]);

/** Statuses of so many requests, one after another; 0 for a connection that was cut. */
async function statuses(count: number, path = '/messages/101'): Promise<number[]> {
	const seen: number[] = [];
	for (let n = 0; n < count; n++) {
		seen.push(
			await call(sandbox, path).then(
				({ status }) => status,
				() => 0,
			),
		);
	}
	return seen;
}

async function timed(act: () => Promise<Answer>): Promise<{ answer: Answer; ms: number }> {
	const began = performance.now();
	const answer = await act();
	return { answer, ms: performance.now() - began };
}

const get = (): Promise<Answer> => call(sandbox, '/groups?perPage=3');
const remove = (): Promise<Answer> => removeReaction(sandbox, '101', ':+1:', 'jonas');
const stillThere = (): boolean =>
	sandbox.store.reactions('101').some(({ reaction }) => reaction === ':+1:');

describe('a rule', () => {
	const broken = { status: { status: 503 } };

	test.each<[string, FaultPlan, number[]]>([
		['everything', [{ effect: broken }], [503, 503, 503, 503, 503, 503]],
		[
			'the n-th requests',
			[{ match: { nth: [1, 4] }, effect: broken }],
			[503, 200, 200, 503, 200, 200],
		],
		[
			'every n-th request',
			[{ match: { every: 3 }, effect: broken }],
			[200, 200, 503, 200, 200, 503],
		],
		['so many times', [{ match: { times: 2 }, effect: broken }], [503, 503, 200, 200, 200, 200]],
		['a method', [{ match: { method: 'delete' }, effect: broken }], [200, 200, 200, 200, 200, 200]],
		[
			'a start of the path',
			[{ match: { path: '/v3/mess' }, effect: broken }],
			[503, 503, 503, 503, 503, 503],
		],
		[
			'another path',
			[{ match: { path: '/v3/groups' }, effect: broken }],
			[200, 200, 200, 200, 200, 200],
		],
		[
			'a pattern',
			[{ match: { path: '^/v3/messages/\\d+$' }, effect: broken }],
			[503, 503, 503, 503, 503, 503],
		],
		[
			'all of them',
			[{ match: { every: 2, times: 1 }, effect: broken }],
			[200, 503, 200, 200, 200, 200],
		],
	])('can match %s', async (_name, plan, expected) => {
		sandbox.setFaults(plan);
		expect(await statuses(6)).toEqual(expected);
	});

	test('of a rate repeats itself for a seed, and differs for another', async () => {
		const run = async (seed: number) => {
			sandbox.setFaults([{ match: { rate: 0.4, seed }, effect: broken }]);
			return statuses(40);
		};
		const first = await run(7);
		expect(await run(7)).toEqual(first);
		expect(await run(8)).not.toEqual(first);
		const share = first.filter((status) => status === 503).length / first.length;
		expect(share).toBeGreaterThan(0.15);
		expect(share).toBeLessThan(0.65);
	});

	test('can be there from the start, and is named in the log', async () => {
		const other = await startSandbox({ faults: [{ effect: { ...broken, latency: { ms: 1 } } }] });
		try {
			expect((await call(other, '/groups')).status).toBe(503);
			expect(other.log[0].fault).toBe('status+latency');
			other.setFaults(undefined);
			expect((await call(other, '/groups')).status).toBe(200);
			expect(other.log[1].fault).toBeUndefined();
		} finally {
			await other.close();
		}
	});
});

describe('waiting', () => {
	test('latency combines with another effect, also of another rule', async () => {
		sandbox.setFaults([
			{ effect: { latency: { ms: 60 }, status: { status: 500 } } },
			{ effect: { latency: { ms: 60, jitterMs: 5 } } },
		]);
		const { answer, ms } = await timed(get);
		expect(answer.status).toBe(500);
		expect(ms).toBeGreaterThanOrEqual(115);
	});

	test('slowBody sends the head at once and the body over a while', async () => {
		always({ slowBody: { ms: 150 } });
		const { answer, ms } = await timed(get);
		expect(ms).toBeGreaterThanOrEqual(140);
		expect(listOf(answer).data).toHaveLength(3);
	});

	test('closing does not wait for it', async () => {
		const other = await startSandbox({ faults: [{ effect: { latency: { ms: 60_000 } } }] });
		const pending = call(other, '/groups').then(
			() => 'answered',
			() => 'cut',
		);
		while (other.stats.inFlight === 0) await new Promise((resolve) => setTimeout(resolve, 5));
		await other.close();
		expect(await pending).toBe('cut');
	});
});

describe('too many requests', () => {
	test.each([
		[{ seconds: 7 }, '7'],
		[{}, '1'],
		[{ seconds: 0.2 }, '1'],
		[{ seconds: 7, retryAfter: 'none' as const }, undefined],
	])('%j answers Retry-After %s', async (tooManyRequests, expected) => {
		always({ tooManyRequests });
		const answer = await get();
		expect([answer.status, errorOf(answer).code]).toEqual([429, 'ERR_TOO_MANY_REQUESTS']);
		expect(answer.headers['retry-after']).toBe(expected);
	});

	test('can give a date', async () => {
		always({ tooManyRequests: { seconds: 30, retryAfter: 'date' } });
		const value = String((await get()).headers['retry-after']);
		expect(value).toMatch(/^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/);
		const seconds = (Date.parse(value) - Date.now()) / 1000;
		expect(seconds).toBeGreaterThan(28);
		expect(seconds).toBeLessThanOrEqual(31);
	});

	test('a wait is never rounded down', () => {
		expect(retryAfter(2.01)).toBe('3');
		expect(retryAfter(2)).toBe('2');
	});

	test('a token bucket lets the burst through, then as much as flows in', async () => {
		always({ tokenBucket: { perMinute: 60, burst: 3 } });
		expect(await statuses(4)).toEqual([200, 200, 200, 429]);
		await new Promise((resolve) => setTimeout(resolve, 1100));
		expect(await statuses(1)).toEqual([200]);
	});

	test.each([
		[1, '5'],
		[5, '1'],
	])(
		'a token bucket tells how long the next token takes, at %i times the speed',
		async (timeScale, seconds) => {
			always({ tokenBucket: { perMinute: 12, burst: 1, timeScale } });
			await get();
			const answer = await get();
			expect([answer.status, answer.headers['retry-after']]).toEqual([429, seconds]);
		},
	);

	test('a token bucket can leave the wait unsaid', async () => {
		always({ tokenBucket: { perMinute: 1, burst: 1, retryAfter: 'none' } });
		await get();
		expect((await get()).headers).not.toHaveProperty('retry-after');
	});

	test('a token bucket that never fills is refused', () => {
		expect(() => always({ tokenBucket: { perMinute: 0 } })).toThrow(RangeError);
	});
});

describe('an answer in the service’s place, with the work not done', () => {
	test.each<[string, FaultEffect, number]>([
		['a status', { status: { status: 502 } }, 502],
		['429', { tooManyRequests: {} }, 429],
		['an echoed key', { echoKey: { status: 401 } }, 401],
		['a web page', { html: true }, 200],
		['a redirect', { redirect: { status: 307, location: 'http://other.example/' } }, 307],
	])('%s', async (_name, effect, status) => {
		always(effect);
		expect((await remove()).status).toBe(status);
		expect(stillThere()).toBe(true);
		expect(sandbox.log[0].status).toBe(status);
	});

	test('a status has the body it is given, as text or JSON', async () => {
		always({
			status: { status: 503, body: '<h1>down</h1>', headers: { 'content-type': 'text/html' } },
		});
		const page = await get();
		expect([page.status, page.text, page.headers['content-type']]).toEqual([
			503,
			'<h1>down</h1>',
			'text/html',
		]);
		always({ status: { status: 403, body: { error: { code: 'ERR_PLAN_RESTRICTION' } } } });
		const json = await get();
		expect(errorOf(json).code).toBe('ERR_PLAN_RESTRICTION');
		expect(json.headers['content-type']).toContain('application/json');
	});

	test('an echoed key stands in the message, the devMessage and the details', async () => {
		always({ echoKey: { status: 400, code: 'ERR_BAD_REQUEST' } });
		const answer = await call(sandbox, '/groups', { headers: { apikey: 'my-own-key' } });
		const { code, message, devMessage, details } = errorOf(answer);
		expect([answer.status, code]).toEqual([400, 'ERR_BAD_REQUEST']);
		for (const text of [message, devMessage, JSON.stringify(details)]) {
			expect(text).toContain('my-own-key');
		}
	});
});

describe('cut connections', () => {
	test('cutBefore leaves the work undone', async () => {
		always({ cutBefore: true });
		await expect(remove()).rejects.toThrow();
		expect(stillThere()).toBe(true);
		expect(sandbox.log[0]).toMatchObject({ status: 0, fault: 'cutBefore' });
	});

	test('cutAfter does the work and says nothing', async () => {
		always({ cutAfter: true });
		await expect(remove()).rejects.toThrow();
		expect(stillThere()).toBe(false);
		expect(sandbox.log[0]).toMatchObject({ status: 0, fault: 'cutAfter' });
	});
});

describe('a spoilt answer, with the work done', () => {
	test.each<[string, FaultEffect, number, string]>([
		['empty', { empty: true }, 200, ''],
		['noContent', { noContent: true }, 204, ''],
		['noData', { noData: true }, 200, '{}'],
		['nullData', { nullData: true }, 200, '{"data":null}'],
	])('%s', async (_name, effect, status, text) => {
		always(effect);
		const answer = await remove();
		expect([answer.status, answer.text]).toEqual([status, text]);
		expect(stillThere()).toBe(false);
	});

	test('brokenJson breaks off in the middle', async () => {
		const whole = (await get()).text;
		always({ brokenJson: true });
		const answer = await get();
		expect(answer.headers['content-type']).toContain('application/json');
		expect(answer.text).toBe(whole.slice(0, Math.ceil(whole.length / 2)));
		expect(() => JSON.parse(answer.text)).toThrow(SyntaxError);
	});
});

describe('a status after the work', () => {
	test('leaves the work done', async () => {
		always({ status: { status: 503, body: 'Busy', afterWork: true } });
		const answer = await remove();
		expect([answer.status, answer.text, sandbox.log[0].status]).toEqual([503, 'Busy', 503]);
		expect(stillThere()).toBe(false);
	});
});

describe('a key that comes back in an item', () => {
	const key = `it's a <"key"> & more%`;
	test.each([
		['plain', key],
		['percent', "it's%20a%20%3C%22key%22%3E%20%26%20more%25"],
		['base64', Buffer.from(key).toString('base64')],
		['html', 'it&#39;s a &lt;&quot;key&quot;&gt; &amp; more%'],
	] as const)('is %s', async (form, expected) => {
		const other = await startSandbox({
			apiKey: key,
			faults: [{ effect: { echoKeyInItem: form } }],
		});
		try {
			const [group] = JSON.parse((await call(other, '/groups?perPage=1')).text).data;
			const message = JSON.parse((await call(other, '/messages/101')).text).data;
			for (const item of [group, message]) {
				expect(item.note).toBe(`Called with ${expected}.`);
				expect(item.request).toEqual({ headers: { apikey: expected }, [expected]: true });
			}
			expect([group.guid, message.id]).toEqual(['all-hands', '101']);
			expect((await call(other, '/messages/999')).text).not.toContain(expected);
		} finally {
			await other.close();
		}
	});
});

describe('a body that trickles', () => {
	test.each(['before', 'inside'] as const)('%s comes whole in the end', async (where) => {
		const whole = await get();
		always({ trickle: { everyMs: 10, forMs: 60, where } });
		const { answer, ms } = await timed(get);
		expect(ms).toBeGreaterThanOrEqual(55);
		expect(answer.text).not.toBe(whole.text);
		expect(JSON.parse(answer.text)).toEqual(JSON.parse(whole.text));
		expect(answer.text.startsWith(where === 'inside' ? '{ ' : ' ')).toBe(true);
	});
});

describe('lists that go wrong', () => {
	const page = async (number: number, query = '') =>
		call(sandbox, `/groups?perPage=5&page=${number}${query}`);

	test.each(['count', 'next'] as const)(
		'repeatPage repeats page 1, total_pages %s',
		async (totalPages) => {
			sandbox.setSettings({ totalPages });
			always({ repeatPage: true });
			const [first, later] = [await page(1), await page(40)];
			expect(guidsOf(later)).toEqual(guidsOf(first));
			expect(listOf(later).meta.pagination).toMatchObject({ current_page: 40, total_pages: 41 });
		},
	);

	test('endless never repeats a group and never ends', async () => {
		always({ endless: true });
		const guids = [
			...guidsOf(await page(1)),
			...guidsOf(await page(2)),
			...guidsOf(await page(5000)),
		];
		expect(new Set(guids).size).toBe(15);
		expect(listOf(await page(5000)).meta.pagination.total_pages).toBe(5001);
		expect(sandbox.violations).toEqual([]);
	});

	test.each([
		'',
		'&sortOrder=desc',
		'&sortBy=name',
		'&sortBy=name&sortOrder=desc',
		'&sortBy=guid',
		'&sortBy=guid&sortOrder=desc',
		'&updatedAt=1700000000',
		'&updatedAt=1900000000&affix=prepend',
		'&tags=social&searchKey=o',
		'&searchKey=s&searchIn=guid',
	])('moveList pushes groups on to the next page, with %s', async (query) => {
		always({ moveList: { insert: 2 } });
		const pages: string[][] = [];
		for (let number = 1; number <= 3; number++) pages.push(guidsOf(await page(number, query)));
		for (const [index, guids] of pages.slice(1).entries()) {
			// What the insertion pushed over the edge comes again.
			const pushed = pages[index].slice(-2);
			expect(guids.slice(0, 2)).toEqual(pushed);
		}
		expect(sandbox.violations).toEqual([]);
	});
});
