import type { QueryValues } from '../contract';
import type { Settings } from '../settings';

const DEFAULT_PER_PAGE = 100;

/** Which page is asked for. Pages count from 1. */
export interface Page {
	number: number;
	/** How many things it can hold. */
	size: number;
	/** How many it was asked to hold. */
	asked: number;
}

/** The page that `page` and `perPage` ask for, no larger than the service makes them. */
export function pageOf({ page, perPage }: QueryValues, { maxPerPage }: Settings): Page {
	const asked = Number(perPage ?? DEFAULT_PER_PAGE);
	const size = maxPerPage > 0 ? Math.min(asked, maxPerPage) : asked;
	return { number: Number(page ?? 1), size, asked };
}

/** The things on a page. */
export function slice<Item>(all: Item[], { number, size }: Page): Item[] {
	return all.slice((number - 1) * size, number * size);
}

/**
 * `meta.pagination`, as the settings show it.
 *
 * @param total all things that match
 * @param count things on the page
 * @param neverEnds whether it claims that another page follows, whatever the total
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
		// Where total_pages only says whether there is more, the service's own example has 0 as total.
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
