import fc from 'fast-check';

import { ListError, MAX_IN_PAGES } from '../../../../nodes/CometChat/operation/lists';
import {
	MAX_AHEAD,
	eachItem,
	eachPage,
	walkPages,
} from '../../../../nodes/CometChat/operation/pagePagination';
import type { PagePlan } from '../../../../nodes/CometChat/operation/pagePagination';
import type { Page } from '../../../../nodes/CometChat/transport/response';

/** Most single items that n8n takes in these tests. */
const MAX_ITEMS = 100_000;

/**
 * What a version of the service says about further pages: `total_pages` as their number, as the next
 * page while there is one, as nothing usable; only `per_page`, as sent or as asked for; or nothing.
 */
type Meaning = 'pages' | 'more' | 'one' | 'zero' | 'text' | 'length' | 'echo' | 'none';

const guid = (index: number) => `group-${index}`;

interface Service {
	/** Groups in the list */
	size: number;
	meaning: Meaning;
	/** Largest page that this service gives, whatever is asked for */
	cap?: number;
}

/** Which number of pages the service tells on a page. */
function totalPages(meaning: Meaning, pages: number, number: number): unknown {
	if (meaning === 'pages') return pages;
	if (meaning === 'more') return number < pages ? number + 1 : number;
	if (meaning === 'one') return 1;
	return meaning === 'zero' ? 0 : String(pages);
}

/** A service in memory that answers pages and notes which ones it was asked for. */
function serviceOf({ size, meaning, cap = Infinity }: Service, perPage: number) {
	const asked: number[] = [];
	let underWay = 0;
	let most = 0;
	const pageSize = Math.min(perPage, cap);
	const pages = Math.ceil(size / pageSize);
	return {
		asked,
		pages,
		get most() {
			return most;
		},
		fetchPage: async (number: number): Promise<Page> => {
			asked.push(number);
			most = Math.max(most, ++underWay);
			await new Promise<void>((resolve) => setImmediate(resolve));
			underWay--;
			const start = (number - 1) * pageSize;
			const count = Math.max(0, Math.min(pageSize, size - start));
			const data = Array.from({ length: count }, (_, i) => ({ guid: guid(start + i) }));
			if (meaning === 'none') return { data };
			if (meaning === 'length') return { data, meta: { pagination: { per_page: pageSize } } };
			if (meaning === 'echo') return { data, meta: { pagination: { per_page: perPage } } };
			const pagination = {
				total: size,
				count,
				per_page: pageSize,
				current_page: number,
				total_pages: totalPages(meaning, pages, number),
			};
			return { data, meta: { pagination } };
		},
	};
}

const plan = (perPage: number, limit = Infinity, firstPage = 1): PagePlan => ({
	plural: 'groups',
	id: 'guid',
	firstPage,
	perPage,
	limit,
	maxItems: MAX_ITEMS,
});

async function listed(thePlan: PagePlan, fetchPage: (number: number) => Promise<Page>) {
	const groups: Page['data'] = [];
	await eachItem(thePlan, fetchPage, (fresh) => groups.push(...fresh));
	return groups.map((group) => group.guid);
}

/** Pages that hold what the list has from the first page on. */
function neededPages(pages: number, firstPage: number, wantedPages: number): number {
	return Math.max(1, Math.min(pages - firstPage + 1, wantedPages));
}

const meaning = fc.constantFrom<Meaning>(
	'pages',
	'more',
	'one',
	'zero',
	'text',
	'length',
	'echo',
	'none',
);

describe('a list that stays as it is', () => {
	test('gives each wanted group once and in order, for few requests too many', async () => {
		const situation = fc.record({
			size: fc.oneof(fc.nat(20), fc.nat(600)),
			perPage: fc.oneof(fc.integer({ min: 1, max: 10 }), fc.integer({ min: 1, max: 700 })),
			limit: fc.oneof(fc.constant(Infinity), fc.integer({ min: 1, max: 700 })),
			firstPage: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 30 })),
			meaning,
		});
		await fc.assert(
			fc.asyncProperty(situation, async ({ size, perPage, limit, firstPage, meaning }) => {
				const service = serviceOf({ size, meaning }, perPage);
				const skipped = (firstPage - 1) * perPage;
				const expected = Array.from({ length: size }, (_, i) => guid(i)).slice(
					skipped,
					skipped + limit,
				);
				expect(await listed(plan(perPage, limit, firstPage), service.fetchPage)).toEqual(expected);

				const { asked, pages, most } = service;
				expect(new Set(asked).size).toBe(asked.length);
				expect(most).toBeLessThanOrEqual(MAX_AHEAD);
				const wanted = Math.ceil(limit / perPage);
				const needed = neededPages(pages, firstPage, wanted);
				// Where the service does not say that a list has ended, only an empty page shows it
				const saysNothing = ['length', 'echo', 'none'].includes(meaning);
				const toFindTheEnd = meaning === 'pages' || meaning === 'more' ? 0 : 1;
				// Never a page beyond the limit, unless fewer came than were asked for
				expect(asked.length).toBeLessThanOrEqual(Math.max(wanted, saysNothing ? needed + 1 : 0));
				expect(asked.length - needed).toBeLessThanOrEqual(MAX_AHEAD - 1 + toFindTheEnd);
				if (needed <= 2) expect(asked.length - needed).toBeLessThanOrEqual(toFindTheEnd);
				if (meaning === 'pages') expect(asked.length).toBe(needed);
			}),
			{ numRuns: 300 },
		);
	});

	test('as pages: gives every page as it came, until the limit is reached', async () => {
		const situation = fc.record({
			size: fc.nat(300),
			perPage: fc.integer({ min: 1, max: 60 }),
			limit: fc.oneof(fc.constant(Infinity), fc.integer({ min: 1, max: 400 })),
			meaning,
		});
		await fc.assert(
			fc.asyncProperty(situation, async ({ size, perPage, limit, meaning }) => {
				const service = serviceOf({ size, meaning }, perPage);
				const kept: Page[] = [];
				await eachPage(plan(perPage, limit), service.fetchPage, (page) => kept.push(page) > 0);
				const needed = neededPages(service.pages, 1, Math.ceil(limit / perPage));
				expect(kept).toHaveLength(needed);
				const expected = Array.from({ length: size }, (_, i) => guid(i)).slice(0, needed * perPage);
				expect(kept.flatMap(({ data }) => data.map((group) => group.guid))).toEqual(expected);
			}),
			{ numRuns: 150 },
		);
	});

	test('is given whole by a service that gives smaller pages than were asked for', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.integer({ min: 1, max: 200 }),
				fc.integer({ min: 1, max: 30 }),
				meaning,
				async (size, cap, meaning) => {
					const service = serviceOf({ size, meaning, cap }, 100);
					expect(await listed(plan(100), service.fetchPage)).toHaveLength(size);
					const limited = serviceOf({ size, meaning, cap }, 100);
					expect(await listed(plan(100, 50), limited.fetchPage)).toHaveLength(Math.min(50, size));
				},
			),
			{ numRuns: 200 },
		);
	});
});

describe('fetching ahead', () => {
	test('grows with the list: one page at a time at first, then up to the most allowed', async () => {
		const service = serviceOf({ size: 400, meaning: 'none' }, 10);
		const ahead: number[] = [];
		for await (const { number } of walkPages(plan(10), service.fetchPage)) {
			ahead.push(service.asked.length - number);
		}
		expect(ahead.slice(0, 3)).toEqual([0, 0, 0]);
		expect(Math.max(...ahead)).toBe(MAX_AHEAD - 1);
		expect(service.most).toBe(MAX_AHEAD);
	});

	test('starts at once when the service tells the number of pages', async () => {
		const service = serviceOf({ size: 400, meaning: 'pages' }, 10);
		for await (const { number } of walkPages(plan(10), service.fetchPage)) {
			if (number === 2) expect(service.asked).toHaveLength(1 + MAX_AHEAD);
		}
		expect(service.most).toBe(MAX_AHEAD);
		expect(service.asked).toHaveLength(40);
	});

	test('a page that cannot be had ends the list when its turn comes, and not before', async () => {
		const service = serviceOf({ size: 400, meaning: 'pages' }, 10);
		const kept: Page['data'] = [];
		const fetchPage = async (number: number) => {
			if (number === 5) throw new Error('page 5 is not to be had');
			return await service.fetchPage(number);
		};
		await expect(eachItem(plan(10), fetchPage, (groups) => kept.push(...groups))).rejects.toThrow(
			'page 5 is not to be had',
		);
		expect(kept.map((group) => group.guid)).toEqual(Array.from({ length: 40 }, (_, i) => guid(i)));
	});

	test('several pages that cannot be had make no unhandled rejection', async () => {
		const unhandled: unknown[] = [];
		const note = (reason: unknown) => unhandled.push(reason);
		process.on('unhandledRejection', note);
		const first = serviceOf({ size: 400, meaning: 'pages' }, 10);
		const fetchPage = async (number: number) => {
			if (number > 1) throw new Error(`page ${number}`);
			return await first.fetchPage(number);
		};
		await expect(listed(plan(10), fetchPage)).rejects.toThrow('page 2');
		await new Promise((resolve) => setTimeout(resolve, 20));
		process.off('unhandledRejection', note);
		expect(unhandled).toEqual([]);
	});
});

describe('a list that moves while it is gone through', () => {
	test('gives no group twice', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.integer({ min: 30, max: 300 }),
				fc.integer({ min: 2, max: 20 }),
				fc.array(fc.nat(3), { minLength: 1, maxLength: 10 }),
				async (size, perPage, shifts) => {
					// Groups that come in at the front push those already given onto later pages
					let moved = 0;
					const fetchPage = async (number: number): Promise<Page> => {
						const start = (number - 1) * perPage - moved;
						moved += shifts[number % shifts.length];
						const indexes = Array.from({ length: perPage }, (_, i) => start + i);
						const data = indexes.filter((i) => i < size).map((i) => ({ guid: guid(i) }));
						return { data };
					};
					try {
						const guids = await listed(plan(perPage), fetchPage);
						expect(new Set(guids).size).toBe(guids.length);
					} catch (error) {
						// A list that moves as fast as it is read looks like one that repeats itself
						expect(error).toBeInstanceOf(ListError);
					}
				},
			),
		);
	});

	test('fetches one page more than the limit needs when a group came twice', async () => {
		const pages = [
			[1, 2, 3],
			[3, 4, 5],
			[6, 7, 8],
		];
		const asked: number[] = [];
		const fetchPage = async (number: number): Promise<Page> => {
			asked.push(number);
			return { data: (pages[number - 1] ?? []).map((i) => ({ guid: guid(i) })) };
		};
		expect(await listed(plan(3, 6), fetchPage)).toEqual([1, 2, 3, 4, 5, 6].map(guid));
		expect(asked).toEqual([1, 2, 3]);
	});

	test('groups without a GUID cannot be told apart, so all are given', async () => {
		const fetchPage = async (number: number): Promise<Page> => ({
			data: number < 3 ? [{ name: 'same' }, { name: 'same' }] : [],
		});
		expect(await listed(plan(2), fetchPage)).toHaveLength(4);
	});
});

describe('a list that does not end', () => {
	const samePage = async (): Promise<Page> => ({
		data: [{ guid: 'a' }, { guid: 'b' }],
		meta: { pagination: { total_pages: 1_000_000 } },
	});

	test('is noticed when it repeats a page, as single groups', async () => {
		const kept: Page['data'] = [];
		await expect(eachItem(plan(2), samePage, (groups) => kept.push(...groups))).rejects.toThrow(
			expect.objectContaining({
				constructor: ListError,
				message: 'CometChat sent the same groups again on pages 2 to 4, so the list stopped',
			}),
		);
		expect(kept).toHaveLength(2);
	});

	test('is noticed when it goes round in larger circles', async () => {
		const round = async (number: number): Promise<Page> => ({
			data: [{ guid: guid(number % 7) }],
			meta: { pagination: { total_pages: number + 1 } },
		});
		await expect(listed(plan(1), round)).rejects.toThrow('pages 8 to 10');
	});

	test('is noticed when it repeats a page, as pages', async () => {
		const kept: Page[] = [];
		await expect(eachPage(plan(2), samePage, (page) => kept.push(page) > 0)).rejects.toThrow(
			/the same groups again on pages 2 to 4/,
		);
		expect(kept).toHaveLength(4);
	});

	test('is left when whoever reads the pages has enough', async () => {
		const service = serviceOf({ size: 1_000, meaning: 'none' }, 10);
		let seen = 0;
		await eachPage(plan(10), service.fetchPage, () => ++seen < 3);
		expect(seen).toBe(3);
	});

	test('of new groups ends where n8n could not take more, and says what to set', async () => {
		const endless = serviceOf({ size: Infinity, meaning: 'none' }, 1_000);
		let count = 0;
		await expect(
			eachItem(plan(1_000), endless.fetchPage, (groups) => (count += groups.length)),
		).rejects.toThrow(
			expect.objectContaining({
				message: expect.stringMatching(/^The list has more than 100,000 groups, which/),
				description: "Set 'Limit', add a filter, or set 'Output' to 'Pages'.",
			}),
		);
		expect(count).toBe(MAX_ITEMS);
		expect(endless.asked.length).toBeLessThanOrEqual(MAX_ITEMS / 1_000 + MAX_AHEAD);
	});

	test('is not even begun when its first page tells its length', async () => {
		const service = serviceOf({ size: MAX_ITEMS + 1, meaning: 'pages' }, 1_000);
		await expect(listed(plan(1_000), service.fetchPage)).rejects.toThrow(ListError);
		expect(service.asked).toEqual([1]);
	});

	test('may be as long as n8n takes, and counts from the first page that is wanted', async () => {
		const service = serviceOf({ size: MAX_ITEMS + 1_000, meaning: 'pages' }, 1_000);
		expect(await listed(plan(1_000, Infinity, 2), service.fetchPage)).toHaveLength(MAX_ITEMS);
	});

	/** Pages of so many groups, told apart by their first one. */
	const big = (perPage: number, pages: number) => {
		const rest = Array.from({ length: perPage - 1 }, () => ({}));
		return async (number: number): Promise<Page> => ({
			data: number > pages ? [] : [{ guid: guid(number) }, ...rest],
		});
	};

	test('as pages ends where one run would hold too much, and says where to go on', async () => {
		let pages = 0;
		await expect(eachPage(plan(100_000), big(100_000, 30), () => ++pages > 0)).rejects.toThrow(
			expect.objectContaining({
				constructor: ListError,
				message:
					'The list has more than 2,000,000 groups on 20 pages, which is as much as one run takes',
				description: "To go on from there, set 'Page' to 21.",
			}),
		);
		expect(pages).toBe(MAX_IN_PAGES / 100_000);
	});

	test('may have exactly as many groups on pages as one run takes', async () => {
		let pages = 0;
		await eachPage(plan(100_000), big(100_000, 20), () => ++pages > 0);
		expect(pages).toBe(20);
		await eachPage(plan(100_000, 2_000_000), big(100_000, 30), () => ++pages > 0);
		expect(pages).toBe(40);
	});

	test('as pages ends after as many pages as n8n takes items', async () => {
		await expect(eachPage(plan(1), big(1, MAX_ITEMS + 1), () => true)).rejects.toThrow(
			expect.objectContaining({
				message: expect.stringContaining('on 100,000 pages'),
				description: "To go on from there, set 'Page' to 100001.",
			}),
		);
		let pages = 0;
		await eachPage(plan(1), big(1, MAX_ITEMS), () => ++pages > 0);
		expect(pages).toBe(MAX_ITEMS);
	});

	test('has no such end where n8n takes any number', async () => {
		let pages = 0;
		const endless = { ...plan(1), maxItems: Infinity };
		await eachPage(endless, big(1, MAX_ITEMS + 1), () => ++pages > 0);
		expect(pages).toBe(MAX_ITEMS + 1);
	});
});

describe('a service whose pages are shorter than asked for', () => {
	/** Pages of the lengths given, with what the service says about them. */
	const pagesOf = (lengths: number[], pagination: object) => {
		const asked: number[] = [];
		const starts = lengths.map((_, i) => lengths.slice(0, i).reduce((sum, n) => sum + n, 0));
		const fetchPage = async (number: number): Promise<Page> => {
			asked.push(number);
			const length = lengths[number - 1] ?? 0;
			const start = starts[number - 1] ?? 0;
			return {
				data: Array.from({ length }, (_, i) => ({ guid: guid(start + i) })),
				meta: { pagination: { ...pagination } },
			};
		};
		return { asked, fetchPage };
	};

	test.each<[string, object]>([
		['only the total', { total: 350 }],
		['the total, and as page length what was asked for', { total: 350, per_page: 1_000 }],
		['the total and one page in all', { total: 350, total_pages: 1 }],
		['nothing', {}],
		['only as page length what was asked for', { per_page: 1_000 }],
	])('is read to its end when it says %s', async (_, pagination) => {
		const { asked, fetchPage } = pagesOf([100, 100, 100, 50], pagination);
		expect(await listed(plan(1_000), fetchPage)).toHaveLength(350);
		expect(asked.length).toBeLessThanOrEqual('total' in pagination ? 4 : 6);
	});

	test('is read to its end when a page in the middle is shorter than others', async () => {
		const { fetchPage } = pagesOf([100, 3, 100, 50, 100], { total: 353 });
		expect(await listed(plan(100), fetchPage)).toHaveLength(353);
	});

	test('is read from a later page on, by the length that its first page has', async () => {
		const { asked, fetchPage } = pagesOf([100, 100, 100, 50], { total: 350, per_page: 100 });
		expect(await listed(plan(1_000, Infinity, 3), fetchPage)).toHaveLength(150);
		expect(asked).toEqual([3, 4]);
	});

	test('that says a total it never reaches ends with the first empty page', async () => {
		const { asked, fetchPage } = pagesOf([10, 10], { total: 40 });
		expect(await listed(plan(10), fetchPage)).toHaveLength(20);
		expect(asked).toEqual([1, 2, 3, 4]);
	});

	test('that counts only the page as its total is read on while pages are full', async () => {
		const { fetchPage } = pagesOf([10, 10, 4], { total: 10 });
		expect(await listed(plan(10), fetchPage)).toHaveLength(24);
	});
});

test('an empty list is one empty page', async () => {
	const service = serviceOf({ size: 0, meaning: 'pages' }, 10);
	const kept: Page[] = [];
	await eachPage(plan(10), service.fetchPage, (page) => kept.push(page) > 0);
	expect(kept).toHaveLength(1);
	expect(service.asked).toEqual([1]);
});
