import type { Page } from '../transport/response';
import { field } from './shape';

/** Where a page stands in its list. */
export interface PagePlace {
	/** Counted from 1 */
	number: number;
	/** Items on a page, as asked for */
	perPage: number;
	/** Items on the pages before it, as far as they are known */
	before: number;
}

/** A number of `meta.pagination`; undefined for what is missing, or is not above 0. */
export function numberAt({ meta }: Page, key: string): number | undefined {
	const value = field('pagination', key)(meta ?? {});
	return typeof value === 'number' && value > 0 ? value : undefined;
}

/**
 * Whether another page follows. `total_pages` is the number of pages for some versions of the
 * service; for others it is the current page, or that plus one while there is more. Both say "more"
 * by being larger than the current page. Otherwise `total` may still say it, for a service whose
 * pages are shorter than asked for. When neither is there, only an empty page is the end: `per_page`
 * may be what was asked for, and not what the service sends at most.
 */
export function hasNextPage(page: Page, { number, perPage, before }: PagePlace): boolean {
	const { length } = page.data;
	if (length === 0) return false;
	const total = numberAt(page, 'total');
	if (total !== undefined && total > before + length) return true;
	const totalPages = numberAt(page, 'total_pages');
	if (totalPages !== undefined && totalPages >= number) return totalPages > number;
	return total === undefined || length >= Math.min(perPage, numberAt(page, 'per_page') ?? perPage);
}
