import type { Settings } from '../../sandbox/server';
import { AS_TOOL, errorOf, jsonOf, list, useSandbox } from './harness';
import { json, withRecorder } from './recorder';

/** Pages that one list has under way at most. */
const MAX_AHEAD = 8;

/** The sample data has 46 groups. */
const TOTAL = 46;

const sandbox = useSandbox();

const MEANINGS: Array<Settings['totalPages']> = ['count', 'next'];

const all = (perPage: number) => list({ returnAll: true, options: { perPage } });

const guids = (groups: Array<Record<string, unknown>>) => groups.map(({ guid }) => guid);

/** The groups of the sandbox in the order of the service, by one request. */
async function inOrder() {
	const ordered = guids(await jsonOf(sandbox(), all(1_000)));
	sandbox().log.length = 0;
	return ordered;
}

const pagesAsked = () => sandbox().log.map(({ query }) => Number(query.page));

describe.each(MEANINGS)('when total_pages is the %s', (totalPages) => {
	beforeEach(() => sandbox().setSettings({ totalPages }));

	test('a long list is fetched ahead, costs few pages too many, and keeps its order', async () => {
		const ordered = await inOrder();
		sandbox().setFaults([{ effect: { latency: { ms: 5, jitterMs: 60 } } }]);
		expect(guids(await jsonOf(sandbox(), all(1)))).toEqual(ordered);
		const { requests, peakInFlight } = sandbox().stats;
		expect(pagesAsked().length).toBeLessThanOrEqual(TOTAL + MAX_AHEAD - 1);
		expect(new Set(pagesAsked()).size).toBe(pagesAsked().length);
		expect(requests).toBeGreaterThanOrEqual(TOTAL);
		expect(peakInFlight).toBe(MAX_AHEAD);
	});

	test('a limit is reached although the list moves', async () => {
		sandbox().setFaults([{ effect: { moveList: { insert: 3 } } }]);
		const given = guids(await jsonOf(sandbox(), list({ limit: 40, options: { perPage: 10 } })));
		expect(given).toHaveLength(40);
		expect(new Set(given).size).toBe(40);
	});

	test('a service that repeats one page for ever is noticed', async () => {
		sandbox().setFaults([{ effect: { repeatPage: true } }]);
		const { message, description } = await errorOf(sandbox(), all(10));
		expect(message).toBe(
			'CometChat sent the same groups again on pages 2 to 4, so the list stopped',
		);
		expect(description).toMatch(/^Set 'Limit', or add a filter\. The 10 items fetched before this/);
		expect(pagesAsked().length).toBeLessThanOrEqual(4 + MAX_AHEAD);
	});
});

test('pages that fail now and then are fetched again, and the list is complete', async () => {
	const ordered = await inOrder();
	sandbox().setFaults([
		{ match: { nth: [2, 5] }, effect: { status: { status: 503 } } },
		{ match: { nth: [3] }, effect: { cutAfter: true } },
	]);
	expect(guids(await jsonOf(sandbox(), all(10)))).toEqual(ordered);
});

test("more groups than an agent's tool can return are refused", async () => {
	await withRecorder(
		(response, { url }) => {
			const page = Number(new URL(url, 'http://service').searchParams.get('page'));
			const data = Array.from({ length: 1_000 }, (_, index) => ({ guid: `${page}-${index}` }));
			const pagination = { total: 100_001, total_pages: 101, per_page: 1_000, count: 1_000 };
			json(response, 200, { data, meta: { pagination: { ...pagination, current_page: page } } });
		},
		async (recorder) => {
			const error = await errorOf(recorder, list({ returnAll: true }), { settings: AS_TOOL });
			expect(error.message).toMatch(/^The list has more than 100,000 items/);
			expect(error.message).toContain("Set 'Limit', add a filter, or set 'Output' to 'Pages'");
		},
	);
});
