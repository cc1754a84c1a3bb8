import { MAX_AHEAD } from '../../nodes/CometChat/operation/pagePagination';
import type { Settings } from '../../sandbox/server';
import { AS_TOOL, NODE, errorOf, jsonOf, list, run, useSandbox } from './harness';

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

	test('a list of one page costs one request', async () => {
		expect(await jsonOf(sandbox(), all(TOTAL))).toHaveLength(TOTAL);
		expect(pagesAsked()).toEqual([1]);
	});

	test('a list of two pages costs two', async () => {
		expect(await jsonOf(sandbox(), all(TOTAL / 2))).toHaveLength(TOTAL);
		expect(pagesAsked()).toEqual([1, 2]);
	});

	test('a limit costs no page too many', async () => {
		const parameters = list({ limit: 20, options: { perPage: 5 } });
		expect(await jsonOf(sandbox(), parameters)).toHaveLength(20);
		expect(pagesAsked().sort((a, b) => a - b)).toEqual([1, 2, 3, 4]);
	});

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

	test('a list that moves while it is paged gives each group once', async () => {
		const ordered = await inOrder();
		sandbox().setFaults([{ effect: { moveList: { insert: 2 } } }]);
		const given = guids(await jsonOf(sandbox(), all(10)));
		expect(new Set(given).size).toBe(given.length);
		expect(given).toEqual(expect.arrayContaining(ordered));
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

		const pages = await errorOf(sandbox(), { ...all(10), output: 'pages' });
		expect(pages.message).toMatch(/^CometChat sent the same groups again on pages/);
	});

	test('a service that never ends is noticed', async () => {
		sandbox().setFaults([{ effect: { endless: true } }]);
		const { message } = await errorOf(sandbox(), all(1_000), { settings: AS_TOOL });
		expect(message).toMatch(/^The list has more than 100,000 groups/);
		expect(pagesAsked().length).toBeLessThanOrEqual(101 + MAX_AHEAD);
	});
});

describe('a page that fails', () => {
	beforeEach(() => {
		sandbox().setSettings({ totalPages: 'next' });
		sandbox().setFaults([{ match: { nth: [3, 4] }, effect: { status: { status: 503 } } }]);
	});

	const parameters = list({ returnAll: true, options: { perPage: 10, maxTries: 2 } });

	test('ends the run with an error that names what came before it', async () => {
		const { message, description } = await errorOf(sandbox(), parameters);
		expect(message).toBe('CometChat is not available right now');
		expect(description).toMatch(
			/^Try again later\. Stopped after 2 attempts and (?:0\.\d seconds|1 second) of waiting\. CometChat replied with status 503 and an empty response\. The 20 items fetched before this are lost: to keep what was fetched, set 'On Error' in the node's Settings to continue\.$/,
		);
		expect(pagesAsked()).toEqual([1, 2, 3, 3]);
	});

	test('leaves what came before it under "Continue", and one item that says so', async () => {
		const result = await run(sandbox(), parameters, { onError: 'continueRegularOutput' });
		const items = result.items(NODE);
		expect(items).toHaveLength(21);
		expect(items[20].json.error).toContain('The 20 items fetched before this are kept');
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(
			Array.from({ length: 21 }, () => ({ item: 0 })),
		);
	});

	test('is fetched again, and the list is complete', async () => {
		sandbox().setFaults([
			{ match: { rate: 0.3, seed: 7 }, effect: { status: { status: 503 } } },
			{ match: { rate: 0.2, seed: 8 }, effect: { cutAfter: true } },
		]);
		const given = await jsonOf(
			sandbox(),
			list({ returnAll: true, options: { perPage: 10, maxTries: 20 } }),
		);
		sandbox().setFaults(undefined);
		expect(guids(given)).toEqual(await inOrder());
	});
});

test('several lists at once return the groups of each input item', async () => {
	sandbox().setFaults([{ effect: { latency: { ms: 5, jitterMs: 30 } } }]);
	const input = ['public', 'private', 'protected', 'password'].map((type) => ({ type }));
	const result = await run(
		sandbox(),
		list({ returnAll: true, filters: { type: '={{ $json.type }}' }, options: { perPage: 3 } }),
		{ input },
	);
	const items = result.items(NODE);
	expect(items).toHaveLength(TOTAL);
	for (const { json, pairedItem } of items) {
		expect(input.findIndex(({ type }) => type === json.type)).toBe(
			(pairedItem as { item: number }).item,
		);
	}
});
