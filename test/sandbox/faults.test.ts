import type { FaultEffect, FaultPlan } from '../../sandbox/faults';
import { retryAfter } from '../../sandbox/rateLimits';
import { startSandbox } from '../../sandbox/server';
import { call, errorOf, guidsOf, listOf, removeReaction, useSandbox, type Answer } from './client';

const sandbox = useSandbox();

const always = (effect: FaultEffect): void => sandbox().setFaults([{ effect }]);

const get = (): Promise<Answer> => call(sandbox(), '/groups?perPage=3');

/** Statuses of so many requests, one after another. */
async function statuses(count: number): Promise<number[]> {
	const seen: number[] = [];
	for (let n = 0; n < count; n++) seen.push((await call(sandbox(), '/messages/101')).status);
	return seen;
}

describe('a rule', () => {
	const effect = { status: { status: 503 } };

	test.each<[string, FaultPlan[0]['match'], number[]]>([
		['everything', undefined, [1, 2, 3, 4, 5, 6]],
		['the n-th requests', { nth: [1, 4] }, [1, 4]],
		['every n-th request', { every: 3 }, [3, 6]],
		['so many times', { times: 2 }, [1, 2]],
		['a method', { method: 'delete' }, []],
		['a start of the path', { path: '/v3/mess' }, [1, 2, 3, 4, 5, 6]],
		['another path', { path: '/v3/groups' }, []],
		['a pattern', { path: '^/v3/messages/\\d+$' }, [1, 2, 3, 4, 5, 6]],
		['all of them', { every: 2, times: 1 }, [2]],
	])('can match %s', async (_name, match, expected) => {
		sandbox().setFaults([{ match, effect }]);
		const hit = (await statuses(6)).flatMap((status, index) => (status === 503 ? index + 1 : []));
		expect(hit).toEqual(expected);
	});

	test('of a rate repeats itself for a seed, and differs for another', async () => {
		const run = async (seed: number) => {
			sandbox().setFaults([{ match: { rate: 0.4, seed }, effect }]);
			return statuses(40);
		};
		const first = await run(7);
		expect(await run(7)).toEqual(first);
		expect(await run(8)).not.toEqual(first);
		const share = first.filter((status) => status === 503).length / first.length;
		expect(Math.abs(share - 0.4)).toBeLessThan(0.25);
	});

	test('combines with others, and is named in the log', async () => {
		sandbox().setFaults([
			{ effect: { latency: { ms: 60 }, status: { status: 500 } } },
			{ effect: { latency: { ms: 60, jitterMs: 5 } } },
		]);
		await get();
		sandbox().setFaults(undefined);
		await get();
		const [faulty, sound] = sandbox().log;
		expect(faulty).toMatchObject({ status: 500, fault: 'latency+status+latency' });
		expect(faulty.ms).toBeGreaterThanOrEqual(115);
		expect([sound.status, sound.fault]).toEqual([200, undefined]);
	});
});

test('closing does not wait for latency', async () => {
	const other = await startSandbox({ faults: [{ effect: { latency: { ms: 60_000 } } }] });
	const pending = call(other, '/groups').then(
		() => 'answered',
		() => 'cut',
	);
	while (other.stats.inFlight === 0) await new Promise((resolve) => setTimeout(resolve, 5));
	await other.close();
	expect(await pending).toBe('cut');
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

	test('can give a date; a wait is never rounded down', () => {
		const seconds = (Date.parse(String(retryAfter(30, 'date'))) - Date.now()) / 1000;
		expect(Math.abs(seconds - 30)).toBeLessThanOrEqual(1);
		expect([retryAfter(2.01), retryAfter(2)]).toEqual(['3', '2']);
	});
});

describe('an answer with the work done', () => {
	test.each<[FaultEffect, number, string]>([
		[{ noContent: true }, 204, ''],
		[{ noData: true }, 200, '{}'],
		[{ nullData: true }, 200, '{"data":null}'],
	])('%j', async (effect, status, text) => {
		always(effect);
		const answer = await removeReaction(sandbox(), '103', '\u{1F440}', 'leo');
		expect([answer.status, answer.text]).toEqual([status, text]);
		expect(sandbox().store.messages.reactionsOf('103')).toEqual([]);
	});

	const key = `it's a <"key"> & more%`;
	test.each([
		['plain', key],
		['percent', "it's%20a%20%3C%22key%22%3E%20%26%20more%25"],
		['base64', Buffer.from(key).toString('base64')],
		['html', 'it&#39;s a &lt;&quot;key&quot;&gt; &amp; more%'],
	] as const)('and the key in each item, %s', async (form, expected) => {
		const faults = [{ effect: { echoKeyInItem: form } }];
		const other = await startSandbox({ apiKey: key, faults });
		try {
			const [group] = listOf(await call(other, '/groups?perPage=1')).data;
			expect(group).toMatchObject({
				guid: 'all-hands',
				note: `Called with ${expected}.`,
				request: { headers: { apikey: expected }, [expected]: true },
			});
			expect((await call(other, '/messages/999')).text).not.toContain(expected);
		} finally {
			await other.close();
		}
	});
});

describe('lists that go wrong', () => {
	const page = async (number: number, query = '') =>
		call(sandbox(), `/groups?perPage=5&page=${number}${query}`);

	test.each(['count', 'next'] as const)(
		'repeatPage repeats page 1, total_pages %s',
		async (totalPages) => {
			sandbox().setSettings({ totalPages });
			always({ repeatPage: true });
			const [first, later] = [await page(1), await page(40)];
			expect(guidsOf(later)).toEqual(guidsOf(first));
			expect(listOf(later).meta.pagination).toMatchObject({ current_page: 40, total_pages: 41 });
		},
	);

	test.each(['', '&sortBy=name&sortOrder=desc', '&updatedAt=1900000000&affix=prepend'])(
		'moveList pushes groups on to the next page, with %s',
		async (query) => {
			always({ moveList: { insert: 2 } });
			const pages: string[][] = [];
			for (let number = 1; number <= 3; number++) pages.push(guidsOf(await page(number, query)));
			for (const [index, guids] of pages.slice(1).entries()) {
				// What the insertion pushed over the edge comes again.
				expect(guids.slice(0, 2)).toEqual(pages[index].slice(-2));
			}
			expect(sandbox().violations).toEqual([]);
		},
	);
});
