import type { Page } from '../transport/response';
import { field } from '../transport/json';

/** Maximum pages in flight for one input item. */
const MAX_AHEAD = 8;

/** Fetches a page. Page numbers start at 1. */
export type FetchPage = (number: number, perPage: number) => Promise<Page>;

/** Options of `fetchNumberedPages`. */
interface NumberedPagesOptions {
	/** Number of the first page to fetch, counted from 1 */
	firstPage?: number;
	/** Items requested per page */
	perPage: number;
	/** Maximum items to fetch, or Infinity for the whole list */
	limit?: number;
	/** Maximum pages in flight */
	maxAhead?: number;
}

interface NumberedPage {
	number: number;
	page: Page;
	/** True if another page follows */
	hasMore: boolean;
}

/** Position of a page in its list. */
export interface PagePosition {
	/** Page number, counted from 1 */
	number: number;
	/** Items requested per page */
	perPage: number;
	/** Number of items on earlier pages so far */
	before: number;
}

/** Reads a positive number from `meta.pagination`. Returns undefined for any other value. */
export function readPaginationNumber({ meta }: Page, key: string): number | undefined {
	const value = field('pagination', key)(meta ?? {});
	return typeof value === 'number' && value > 0 ? value : undefined;
}

/**
 * True if another page follows. In some versions of CometChat, `total_pages` is the number of pages. In other
 * versions, `total_pages` is the current page number, plus one if another page follows. In both cases,
 * another page follows if `total_pages` is larger than the current page number. `total` is checked first,
 * because pages can be shorter than requested. Without these numbers, only an empty page ends the list,
 * because `per_page` may just repeat the requested size.
 */
export function hasNextPage(page: Page, { number, perPage, before }: PagePosition): boolean {
	const { length } = page.data;
	if (length === 0) return false;
	const total = readPaginationNumber(page, 'total');
	if (total !== undefined && total > before + length) return true;
	const totalPages = readPaginationNumber(page, 'total_pages');
	if (totalPages !== undefined && totalPages >= number) return totalPages > number;
	return (
		total === undefined ||
		length >= Math.min(perPage, readPaginationNumber(page, 'per_page') ?? perPage)
	);
}

/**
 * Yields the pages in order and prefetches later pages. The number of pages in flight grows as the list
 * continues, up to `maxAhead`. A list of one or two pages needs no extra requests. A longer list needs at
 * most `maxAhead` - 1 extra requests.
 */
export async function* fetchNumberedPages(
	fetchPage: FetchPage,
	{ firstPage = 1, perPage, limit = Infinity, maxAhead = MAX_AHEAD }: NumberedPagesOptions,
): AsyncGenerator<NumberedPage> {
	/** Requested pages in order, starting with the next page to yield */
	const ahead: Array<Promise<Page>> = [];
	let before = (firstPage - 1) * perPage;
	let pageLength = perPage;
	let lastPage: number | undefined;
	let width = 1;
	for (let number = firstPage; ; number++) {
		const lastNeeded = firstPage + Math.ceil(limit / pageLength) - 1;
		// An item can shift to a later page and show up twice, so reaching the limit may take an extra page
		const wanted = Math.max(lastNeeded, number);
		const end = Math.min(lastPage ?? Infinity, wanted, number + width - 1);
		while (number + ahead.length <= end) {
			const fetched = fetchPage(number + ahead.length, perPage);
			fetched.catch(() => {}); // Errors are handled when the page is awaited below
			ahead.push(fetched);
		}
		const [current] = ahead.splice(0, 1);
		const page = await current;
		const hasMore = hasNextPage(page, { number, perPage, before });
		yield { number, page, hasMore };
		if (!hasMore) return;
		if (number === firstPage) pageLength = page.data.length;
		before += page.data.length;
		const knownLast = Math.max(
			Math.ceil((readPaginationNumber(page, 'total') ?? 0) / pageLength),
			readPaginationNumber(page, 'total_pages') ?? 0,
		);
		if (lastPage !== undefined || knownLast > number + 1) {
			lastPage = Math.max(knownLast, number + 1);
			width = maxAhead;
		} else {
			width = Math.min(maxAhead, Math.max(1, Math.floor((number - firstPage + 1) / 2)));
		}
	}
}
