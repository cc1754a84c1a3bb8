import type { QueryValues } from '../contract';
import type { Settings } from '../settings';
import type { User } from '../types';

const DEFAULT_PER_PAGE = 100;

/** A requested page. Page numbers start at 1. */
export interface Page {
	number: number;
	/** Maximum entries on the page, after applying the service's limit. */
	size: number;
	/** Requested page size. */
	asked: number;
}

/** Reads the requested page from `page` and `perPage`, and limits its size to the service's maximum. */
export function pageOf({ page, perPage }: QueryValues, { maxPerPage }: Settings): Page {
	const asked = Number(perPage ?? DEFAULT_PER_PAGE);
	const size = maxPerPage > 0 ? Math.min(asked, maxPerPage) : asked;
	return { number: Number(page ?? 1), size, asked };
}

/** Returns the entries on a page. */
export function slice<Item>(all: Item[], { number, size }: Page): Item[] {
	return all.slice((number - 1) * size, number * size);
}

/** Sorts users or members by time, in the order selected in the settings. Equal times are sorted by UID. */
export function sortByTime<Item extends { uid: string }>(
	items: Item[],
	timeOf: (item: Item) => number,
	{ listOrder }: Settings,
): Item[] {
	const sign = listOrder === 'newestFirst' ? -1 : 1;
	return items.sort((a, b) => sign * (timeOf(a) - timeOf(b)) || (a.uid < b.uid ? -1 : 1));
}

/** Returns the cursor of a page of users, which is the time of the newest change. Empty pages have none. */
export function cursorOf(users: User[]) {
	const changes = users.map(({ createdAt = 0, updatedAt = createdAt }) => updatedAt);
	return users.length > 0 ? { cursor: { updatedAt: Math.max(...changes), affix: 'append' } } : {};
}

/**
 * Builds `meta.pagination` in the format selected in the settings.
 *
 * @param total number of matching entries
 * @param count number of entries on the page
 * @param neverEnds true to always claim that another page follows
 */
export function pagination(
	page: Page,
	{ total, count, neverEnds = false }: { total: number; count: number; neverEnds?: boolean },
	{ totalPages, perPageShown, totalPagesShown, totalShown }: Settings,
) {
	const hasMore = neverEnds || page.number * page.size < total;
	const pagesBy = (size: number): number => {
		if (neverEnds || totalPages === 'next') return hasMore ? page.number + 1 : page.number;
		return Math.max(1, Math.ceil(total / size));
	};
	return {
		// In the service's own example where total_pages is the next page, total is 0
		...(totalShown === 'missing' ? {} : { total: totalPages === 'count' ? total : 0 }),
		count,
		...(perPageShown === 'missing' ? {} : { per_page: page[SIZES[perPageShown]] }),
		current_page: page.number,
		...(totalPagesShown === 'missing'
			? {}
			: { total_pages: pagesBy(page[SIZES[totalPagesShown]]) }),
	};
}

const SIZES = { right: 'size', asked: 'asked' } as const;
