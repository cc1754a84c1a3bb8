import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { byPage } from '../../../../nodes/CometChat/results/byPage';
import { DescribedError } from '../../../../nodes/CometChat/errors/describedError';
import type { Entity, Values } from '../../../../nodes/CometChat/description/types';
import { callOf, thingsOf, type Respond } from './call';

const group: Entity = { name: 'group', plural: 'groups', id: 'guid', columns: {} };

/** Most pages under way at once, as documented. */
const MAX_AHEAD = 8;

/**
 * What a version of the service says about further pages: `total_pages` as their number, as the next
 * page while there is one, as nothing usable; only `per_page`, as sent or as asked for; or nothing.
 */
const MEANINGS = ['pages', 'more', 'one', 'zero', 'text', 'length', 'echo', 'none'] as const;

type Meaning = (typeof MEANINGS)[number];

const guids = (from: number, to: number) =>
	Array.from({ length: Math.max(0, to - from) }, (_, i) => `group-${from + i}`);

interface Service {
	/** Groups in the list */
	size: number;
	meaning: Meaning;
	/** Largest page that the service sends, whatever is asked for */
	cap?: number;
}

function paginationOf(meaning: Meaning, pages: number, number: number, sizes: IDataObject) {
	const { total, length, perPage } = sizes;
	if (meaning === 'none') return undefined;
	if (meaning === 'length') return { per_page: length };
	if (meaning === 'echo') return { per_page: perPage };
	const next = Math.min(number + 1, pages);
	const total_pages = { pages, more: next, one: 1, zero: 0, text: String(pages) }[meaning];
	return { total, per_page: length, current_page: number, total_pages };
}

/** A service in memory that notes which pages it was asked for, and how many at once. */
function serviceOf({ size, meaning, cap = Infinity }: Service) {
	const asked: number[] = [];
	const seen = { most: 0, underWay: 0 };
	return {
		asked,
		seen,
		respond: async ({ page, perPage }: IDataObject, part: number) => {
			asked.push(Number(page));
			if (part !== page) throw new Error(`page ${String(page)} was part ${part}`);
			seen.most = Math.max(seen.most, ++seen.underWay);
			await new Promise<void>((resolve) => setImmediate(resolve));
			seen.underWay--;
			const length = Math.min(Number(perPage), cap);
			const start = (part - 1) * length;
			const data = guids(start, Math.min(start + length, size)).map((guid) => ({ guid }));
			const sizes = { total: size, length, perPage };
			const pagination = paginationOf(meaning, Math.ceil(size / length), part, sizes);
			return { data, meta: { pagination } };
		},
	};
}

const results = (respond: Respond, values: Values) =>
	byPage({ many: group, by: 'page' }, callOf(respond, values));

const listed = async (respond: Respond, values: Values) =>
	(await thingsOf(results(respond, values))).map(({ guid }) => guid);

const all = (perPage: number, page?: number): Values => ({
	returnAll: true,
	options: { perPage, page },
});

const upTo = (limit: number, perPage: number): Values => ({ limit, options: { perPage } });

describe('A list that stays as it is', () => {
	test('gives each wanted group once and in order, for few requests too many', async () => {
		const situation = fc.record({
			size: fc.oneof(fc.nat(20), fc.nat(400)),
			perPage: fc.oneof(fc.integer({ min: 1, max: 10 }), fc.integer({ min: 1, max: 500 })),
			limit: fc.option(fc.integer({ min: 1, max: 500 }), { nil: Infinity }),
			page: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 20 })),
			meaning: fc.constantFrom(...MEANINGS),
		});
		await fc.assert(
			fc.asyncProperty(situation, async ({ size, perPage, limit, page, meaning }) => {
				const { respond, asked, seen } = serviceOf({ size, meaning });
				const values = { returnAll: limit === Infinity, limit, options: { perPage, page } };
				const skipped = (page - 1) * perPage;
				expect(await listed(respond, values)).toEqual(
					guids(skipped, Math.min(size, skipped + limit)),
				);
				expect(new Set(asked).size).toBe(asked.length);
				expect(seen.most).toBeLessThanOrEqual(MAX_AHEAD);
				const wanted = Math.ceil(limit / perPage);
				const pages = Math.ceil(size / perPage);
				const needed = Math.max(1, Math.min(pages - page + 1, wanted));
				// Where the service does not say that a list has ended, only an empty page shows it
				const isUnsaid = ['length', 'echo', 'none'].includes(meaning);
				const toFindTheEnd = meaning === 'pages' || meaning === 'more' ? 0 : 1;
				expect(asked.length).toBeLessThanOrEqual(Math.max(wanted, isUnsaid ? needed + 1 : 0));
				expect(asked.length - needed).toBeLessThanOrEqual(MAX_AHEAD - 1 + toFindTheEnd);
				if (needed <= 2) expect(asked.length - needed).toBeLessThanOrEqual(toFindTheEnd);
				if (meaning === 'pages') expect(asked.length).toBe(needed);
			}),
			{ numRuns: 150 },
		);
	});
});

test.each(MEANINGS)(
	'A list whose pages are capped is whole where total_pages means "%s"',
	async (meaning) => {
		const { respond } = serviceOf({ size: 200, meaning, cap: 30 });
		expect(await listed(respond, all(100))).toEqual(guids(0, 200));
		expect(await listed(respond, upTo(50, 100))).toEqual(guids(0, 50));
	},
);

describe('Fetching ahead', () => {
	/** How many pages were asked for beyond each one when it came. */
	async function aheadOf(meaning: Meaning): Promise<number[]> {
		const { respond, asked } = serviceOf({ size: 400, meaning });
		const ahead: number[] = [];
		for await (const page of results(respond, all(10))) {
			if (page.length > 0) ahead.push(asked.length - ahead.length - 1);
		}
		return ahead;
	}

	test('grows with the list: one page at a time at first, at most eight', async () => {
		const unsaid = await aheadOf('none');
		expect(unsaid.slice(0, 18)).toEqual([0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7]);
		expect(Math.max(...unsaid)).toBe(7);
	});

	test('starts at once where the number of pages is known, and ends with them', async () => {
		const known = await aheadOf('pages');
		expect(known.slice(0, 3)).toEqual([0, 7, 7]);
		expect(known.slice(-3)).toEqual([2, 1, 0]);
		expect(await aheadOf('one')).toEqual(known);
	});

	test('lets pages that fail wait for their turn: what comes before them is kept', async () => {
		const unhandled: unknown[] = [];
		const note = (reason: unknown) => unhandled.push(reason);
		process.on('unhandledRejection', note);
		const { respond } = serviceOf({ size: 400, meaning: 'pages' });
		const kept: IDataObject[] = [];
		const failing = async (query: IDataObject, part: number) => {
			if (part > 4) throw new Error(`page ${part}`);
			return await respond(query, part);
		};
		await expect(thingsOf(results(failing, all(10)), kept)).rejects.toThrow('page 5');
		expect(kept.map(({ guid }) => guid)).toEqual(guids(0, 40));
		await new Promise<void>((resolve) => setImmediate(resolve));
		process.off('unhandledRejection', note);
		expect(unhandled).toEqual([]);
	});
});

describe('A list that moves', () => {
	test('so that two pages bring nothing new is read on; at the third it stops in words', async () => {
		const repeating = (period: number, until: number) => (_: IDataObject, part: number) => ({
			data: part > until ? [] : [{ guid: `group-${part % period}` }],
			meta: { pagination: { total_pages: Math.min(part + 1, until) } },
		});
		expect(await listed(repeating(2, 4), all(1))).toEqual(['group-1', 'group-0']);
		await expect(listed(repeating(7, 100), all(1))).rejects.toThrow(
			expect.objectContaining({
				constructor: DescribedError,
				message: 'CometChat sent the same groups again on pages 8 to 10, so the list stopped',
				description: "Set 'Limit', or add a filter.",
			}),
		);
		const thrice = (_: IDataObject, part: number) => ({
			data: part > 9 ? [] : [{ guid: `group-${Math.floor(part / 3)}` }],
		});
		expect(await listed(thrice, all(1))).toEqual(guids(0, 4));
	});
});

test('a list without meta, where the second page is the first again, goes on with a cursor to its end', async () => {
	const all = Array.from({ length: 95 }, (_, index) => ({ guid: String(index + 1) }));
	const respond: Respond = ({ perPage, id }) => {
		const start = all.findIndex(({ guid }) => guid === id) + 1;
		return { data: all.slice(start, start + Number(perPage)) };
	};
	for (const [perPage, returnAll] of [
		[20, true],
		[19, true],
		[200, true],
	]) {
		const values = { returnAll, options: { perPage } };
		const things = await thingsOf(
			byPage({ many: group, by: 'pageOrCursor' }, callOf(respond, values)),
		);
		expect(things).toEqual(all);
	}
	// A service whose pages are shorter than asked for
	const capped: Respond = (query, part) => respond({ ...query, perPage: 30 }, part);
	const values = { returnAll: true, options: { perPage: 50 } };
	const things = await thingsOf(
		byPage({ many: group, by: 'pageOrCursor' }, callOf(capped, values)),
	);
	expect(things).toEqual(all);
});
