import type { Page } from '../transport/response';
import { field } from '../transport/json';

/** Maximum pages in flight for one input item. */
const MAX_AHEAD = 8;

/** Fetches a page. Page numbers start at 1. */
export type FetchPage = (number: number, perPage: number) => Promise<Page>;

/** Options of `fetchNumberedPages`. */
interface NumberedPagesOptions {
	/** Page numbers start at 1 */
	firstPage?: number;
	/** Items requested per page */
	perPage: number;
	/** Maximum items; Infinity for the whole list */
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
	/** Page numbers start at 1 */
	number: number;
	/** Items requested per page */
	perPage: number;
	/** Known number of items on earlier pages */
	before: number;
}

/** Reads a positive number from `meta.pagination`. Returns undefined for any other value. */
export function readPaginationNumber({ meta }: Page, key: string): number | undefined {
	const value = field('pagination', key)(meta ?? {});
	return typeof value === 'number' && value > 0 ? value : undefined;
}

/**
 * True if another page follows. In some versions of CometChat, `total_pages` is the number of pages. In
 * other versions, `total_pages` is the current page, plus one if another page follows. In both cases a page follows
 * if `total_pages` is larger than the current page. `total` covers pages that are shorter than
 * requested. Without these numbers, only an empty page is the end, because `per_page` may repeat the
 * requested size.
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
 * Yields the pages in order and fetches ahead. The number of pages in flight grows with the list, up to
 * `maxAhead`. A list of one or two pages takes no extra request, a long list at most `maxAhead` - 1.
 */
export async function* fetchNumberedPages(
	fetchPage: FetchPage,
	{ firstPage = 1, perPage, limit = Infinity, maxAhead = MAX_AHEAD }: NumberedPagesOptions,
): AsyncGenerator<NumberedPage> {
	/** The page to yield next, and later pages */
	const ahead: Array<Promise<Page>> = [];
	let before = (firstPage - 1) * perPage;
	let pageLength = perPage;
	let lastPage: number | undefined;
	let width = 1;
	for (let number = firstPage; ; number++) {
		const lastNeeded = firstPage + Math.ceil(limit / pageLength) - 1;
		// An item can move to a later page and repeat, so the limit may need another page
		const wanted = Math.max(lastNeeded, number);
		const end = Math.min(lastPage ?? Infinity, wanted, number + width - 1);
		while (number + ahead.length <= end) {
			const fetched = fetchPage(number + ahead.length, perPage);
			fetched.catch(() => {}); // awaited below, or no longer needed
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
