import type { Page } from '../transport/response';
import { field } from '../transport/json';

/** Pages under way at once for one input item. */
const MAX_AHEAD = 8;

/** @param number counted from 1 */
export type FetchPage = (number: number, perPage: number) => Promise<Page>;

/** What is wanted of a list. */
interface Wanted {
	/** Counted from 1 */
	firstPage?: number;
	/** Items on a page, as asked for */
	perPage: number;
	/** Items in all; Infinity for the whole list */
	limit?: number;
	/** Pages under way at once */
	maxAhead?: number;
}

interface NumberedPage {
	number: number;
	page: Page;
	/** Whether another page follows */
	hasMore: boolean;
}

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

/**
 * Goes through the pages in order and fetches ahead: from one page, as many at once as the list
 * has proved long, at most `maxAhead`; up to its end once that is known. So a list of one or two pages
 * costs no request too many, and a long one at most `maxAhead` - 1.
 */
export async function* numberedPages(
	fetchPage: FetchPage,
	{ firstPage = 1, perPage, limit = Infinity, maxAhead = MAX_AHEAD }: Wanted,
): AsyncGenerator<NumberedPage> {
	const length = new ListLength(firstPage, perPage);
	/** The page that is next in turn, and those after it */
	const ahead: Array<Promise<Page>> = [];
	let next = firstPage;
	let lastPage: number | undefined;
	let width = 1;
	for (let number = firstPage; ; number++) {
		// A moved list may hold an item twice, so one page beyond the wanted ones can be needed
		const wanted = Math.max(length.lastWanted(limit), number);
		const end = Math.min(lastPage ?? Infinity, wanted, number + width - 1);
		for (; next <= end; next++) {
			const fetched = fetchPage(next, perPage);
			fetched.catch(() => {}); // it is awaited below, or not needed any more
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

/** What the pages that came so far tell about the length of a list. */
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

	/** The number of the last page after one that is not empty, as far as it is known; 0 when it is not. */
	lastPage(page: Page): number {
		const total = this.firstPage === 1 ? (numberAt(page, 'total') ?? 0) : 0;
		return Math.max(Math.ceil(total / this.firstLength), numberAt(page, 'total_pages') ?? 0);
	}

	/** The last page that can be needed for the limit, when all pages are as long as the first one. */
	lastWanted(limit: number): number {
		return this.firstPage + Math.ceil(limit / (this.firstLength || this.perPage)) - 1;
	}
}
