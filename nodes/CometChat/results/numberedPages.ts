import type { Page } from '../transport/response';
import { field } from '../transport/json';

/** Maximum pages in flight for one input item. */
const MAX_AHEAD = 8;

/** Fetches a page; the first has the number 1. */
export type FetchPage = (number: number, perPage: number) => Promise<Page>;

/** Options of a list. */
interface NumberedPagesOptions {
	/** Counted from 1 */
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
	/** Whether another page follows */
	hasMore: boolean;
}

/** Position of a page in its list. */
export interface PagePosition {
	/** Counted from 1 */
	number: number;
	/** Items requested per page */
	perPage: number;
	/** Known number of items on earlier pages */
	before: number;
}

/** Reads a positive number from `meta.pagination`; undefined for other values. */
export function readPaginationNumber({ meta }: Page, key: string): number | undefined {
	const value = field('pagination', key)(meta ?? {});
	return typeof value === 'number' && value > 0 ? value : undefined;
}

/**
 * Whether another page follows. In some versions of the service, `total_pages` is the number of pages.
 * In other versions, it is the current page, plus one if another page follows. In both cases a page
 * follows if `total_pages` is larger than the current page. `total` covers services whose pages are
 * shorter than requested. Without these numbers, only an empty page is the end, because `per_page` may
 * repeat the requested size.
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
 * Yields the pages in order and fetches ahead: the longer the list has been, the more pages at once, up
 * to `maxAhead`. A list of one or two pages takes no extra request, a long list at most `maxAhead` - 1.
 */
export async function* fetchNumberedPages(
	fetchPage: FetchPage,
	{ firstPage = 1, perPage, limit = Infinity, maxAhead = MAX_AHEAD }: NumberedPagesOptions,
): AsyncGenerator<NumberedPage> {
	const length = new ListLength(firstPage, perPage);
	/** The page to yield next, and later pages */
	const ahead: Array<Promise<Page>> = [];
	let next = firstPage;
	let lastPage: number | undefined;
	let width = 1;
	for (let number = firstPage; ; number++) {
		// Items may move to a later page and come twice, so another page may be needed for the limit
		const wanted = Math.max(length.lastWanted(limit), number);
		const end = Math.min(lastPage ?? Infinity, wanted, number + width - 1);
		for (; next <= end; next++) {
			const fetched = fetchPage(next, perPage);
			fetched.catch(() => {}); // awaited below, or no longer needed
			ahead.push(fetched);
		}
		const [current] = ahead.splice(0, 1);
		const page = await current;
		const hasMore = length.hasMoreAfter(number, page);
		yield { number, page, hasMore };
		if (!hasMore) return;
		const knownLast = length.lastPage(page);
		if (lastPage !== undefined || knownLast > number + 1) {
			lastPage = Math.max(knownLast, number + 1);
			width = maxAhead;
		} else {
			width = Math.min(maxAhead, Math.max(1, Math.floor((number - firstPage + 1) / 2)));
		}
	}
}

/** Estimates the length of a list from its first pages. */
class ListLength {
	private seen = 0;

	private firstLength = 0;

	constructor(
		private readonly firstPage: number,
		private readonly perPage: number,
	) {}

	hasMoreAfter(number: number, page: Page): boolean {
		const { firstPage, perPage } = this;
		if (number === firstPage) this.firstLength = page.data.length;
		const before = (firstPage - 1) * perPage + this.seen;
		this.seen += page.data.length;
		return hasNextPage(page, { number, perPage, before });
	}

	/** Number of the last page, if the service says so; else 0. */
	lastPage(page: Page): number {
		const total = this.firstPage === 1 ? (readPaginationNumber(page, 'total') ?? 0) : 0;
		return Math.max(
			Math.ceil(total / this.firstLength),
			readPaginationNumber(page, 'total_pages') ?? 0,
		);
	}

	/** Last page needed for the limit, if all pages are as long as the first page. */
	lastWanted(limit: number): number {
		return this.firstPage + Math.ceil(limit / (this.firstLength || this.perPage)) - 1;
	}
}
