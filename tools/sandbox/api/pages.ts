import type { QueryValues } from '../contract';
import type { Settings } from '../settings';

const DEFAULT_PER_PAGE = 100;

/** The requested page. Pages count from 1. */
export interface Page {
	number: number;
	/** Maximum entries on the page. */
	size: number;
	/** Requested maximum of entries. */
	asked: number;
}

/** The page for `page` and `perPage`, limited to the service's maximum size. */
export function pageOf({ page, perPage }: QueryValues, { maxPerPage }: Settings): Page {
	const asked = Number(perPage ?? DEFAULT_PER_PAGE);
	const size = maxPerPage > 0 ? Math.min(asked, maxPerPage) : asked;
	return { number: Number(page ?? 1), size, asked };
}

/** Entries on a page. */
export function slice<Item>(all: Item[], { number, size }: Page): Item[] {
	return all.slice((number - 1) * size, number * size);
}

/**
 * `meta.pagination`, in the form that the settings choose.
 *
 * @param total number of matching entries
 * @param count number of entries on the page
 * @param neverEnds true to claim that another page follows
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
		// The service's own example has a total of 0 if total_pages means the next page
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
