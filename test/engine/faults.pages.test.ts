import { NODE, errorOf, list, run, useSandbox } from './harness';
import { WAYS } from './operations';
import type { Reply } from './recorder';
import { json, withRecorder } from './recorder';

const sandbox = useSandbox();

/** Most groups that pages may hold in one run. */
const MOST = 2_000_000;

const ALL_PAGES = list({ returnAll: true, output: 'pages' });

/** A list of so many tiny groups. */
const listing =
	(total: number): Reply =>
	(response, { url }) => {
		const page = Number(new URL(url, 'http://service').searchParams.get('page'));
		const first = (page - 1) * 1_000;
		const length = Math.max(0, Math.min(1_000, total - first));
		const data = Array.from({ length }, (_, index) => ({ guid: String(first + index) }));
		const pages = Math.ceil(total / 1_000);
		const pagination = { total, count: length, per_page: 1_000, current_page: page };
		json(response, 200, { data, meta: { pagination: { ...pagination, total_pages: pages } } });
	};

describe.each(WAYS)('As Pages, through %s,', (_, settings) => {
	test('exactly 2,000,000 groups are returned', async () => {
		await withRecorder(listing(MOST), async (recorder) => {
			const { error, items } = await run(recorder, ALL_PAGES, { settings });
			expect(error).toBeUndefined();
			const pages = items(NODE);
			expect(pages).toHaveLength(2_000);
			expect(pages.at(-1)?.json.data).toHaveLength(1_000);
			expect(recorder.requests).toHaveLength(2_000);
		});
	}, 120_000);

	test('one more is an error that says where to go on, and keeps what came', async () => {
		await withRecorder(listing(MOST + 1), async (recorder) => {
			const { items } = await run(recorder, ALL_PAGES, {
				settings,
				onError: 'continueRegularOutput',
			});
			const pages = items(NODE);
			expect(pages).toHaveLength(2_001);
			expect(pages[2_000].json.error).toBe(
				"The list has more than 2,000,000 groups on 2,000 pages, which is as much as one run takes. To go on from there, set 'Page' to 2001. The 2,000 items fetched before this are kept.",
			);
		});
	}, 120_000);
});

describe.each(WAYS)('total_pages, through %s,', (_, settings) => {
	test.each([
		[0, 1],
		[-1, 1],
		[null, 1],
		['3', 1],
		[1e9, 1],
		[1, 3],
		[2, 3],
	])(
		'that is %p on every page, from page %d on, does not end the list early',
		async (totalPages, firstPage) => {
			const total = 37;
			await withRecorder(
				(response, { url }) => {
					const page = Number(new URL(url, 'http://service').searchParams.get('page'));
					const data = Array.from({ length: total }, (__, index) => ({ guid: String(index) }));
					json(response, 200, {
						data: data.slice((page - 1) * 10, page * 10),
						meta: { pagination: { total_pages: totalPages, current_page: page } },
					});
				},
				async (recorder) => {
					const parameters = list({ returnAll: true, options: { page: firstPage, perPage: 10 } });
					const { items } = await run(recorder, parameters, { settings });
					expect(items(NODE).map(({ json: { guid } }) => Number(guid))).toEqual(
						Array.from({ length: total }, (__, index) => index).slice((firstPage - 1) * 10),
					);
				},
			);
		},
	);
});

test('Errors of a page name their operation', async () => {
	sandbox().setFaults([{ match: { nth: [2] }, effect: { status: { status: 400 } } }]);
	const { description } = await errorOf(
		sandbox(),
		list({ returnAll: true, output: 'pages', options: { perPage: 20 } }),
	);
	expect(description).toContain('The item fetched before this is lost');
});
