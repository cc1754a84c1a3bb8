import type { QueryValues } from '../contract';
import type { Settings } from '../settings';
import type { User } from '../types';
import type { Call } from './call';

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

/** True if a page contains `meta.next`, given that it has entries. */
export const isNextShown = ({ nextShown }: Settings, hasMore: boolean): boolean =>
	nextShown === 'always' || (nextShown === 'more' && hasMore);

/** Builds `meta.current`, which describes a page of messages or reactions. */
export const currentOf = ({ limitShown }: Settings, limit: number, count: number) =>
	limitShown === 'right' ? { limit, count } : { count };

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

/** Returns the requested page of entries, and its `meta.pagination` in the format selected in the settings. */
export function paginate<Item>(all: Item[], { query, settings }: Call) {
	const { totalPages, perPageShown, totalPagesShown, totalShown } = settings;
	const page = pageOf(query, settings);
	const { number, size, asked } = page;
	const shown = slice(all, page);
	const pagesBy = (perPage: number): number =>
		totalPages === 'count'
			? Math.max(1, Math.ceil(all.length / perPage))
			: number + Number(number * size < all.length);
	// In the service's own example where total_pages is the next page, total is 0
	const total = totalPages === 'count' ? all.length : 0;
	const pagination = {
		total: totalShown === 'missing' ? undefined : total,
		count: shown.length,
		per_page: { right: size, asked, missing: undefined }[perPageShown],
		current_page: number,
		total_pages: { right: pagesBy(size), asked: pagesBy(asked), missing: undefined }[
			totalPagesShown
		],
	};
	return { shown, pagination };
}
