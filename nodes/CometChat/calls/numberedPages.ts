import type { IDataObject } from 'n8n-workflow';

import { createFieldReader } from '../helpers/json';
import type { Page } from '../transport/response';
import {
	MAX_STALE_PAGES,
	createStuckListError,
	type PagedListSettings,
	type PageQueryBuilder,
	type PagingProgress,
} from './paging';

/** Default maximum number of pages in flight. */
const MAX_AHEAD = 8;

export interface PageNumberAndItemsBefore {
	/** Page number, counted from 1 */
	number: number;
	perPage: number;
	/** Number of items on all earlier pages */
	before: number;
}

/** Reads a positive number from `meta.pagination`. Returns undefined for any other value. */
export function readPositivePaginationNumber({ meta }: Page, key: string): number | undefined {
	const value = createFieldReader('pagination', key)(meta);
	return typeof value === 'number' && value > 0 ? value : undefined;
}

/**
 * True if another page may follow. `total_pages` may count all pages, or only the pages up to the next one (open
 * question 1). In both cases, another page follows if `total_pages` is larger than the current page's number. Pages
 * can be shorter than requested, or empty, because CometChat may filter a page's items (open question 2). A full
 * page ends a list only if `total` has been reached.
 */
export function mayHaveNextPage(
	page: Page,
	{ number, perPage, before }: PageNumberAndItemsBefore,
): boolean {
	const { length } = page.data;
	const total = readPositivePaginationNumber(page, 'total');
	const totalPages = readPositivePaginationNumber(page, 'total_pages');
	if (totalPages !== undefined && totalPages > number) return true;
	const size = Math.min(perPage, readPositivePaginationNumber(page, 'per_page') ?? perPage);
	if (length === 0) return total !== undefined && total > number * size;
	if (total !== undefined && total > before + length) return true;
	return length >= size ? total === undefined : totalPages === undefined && total === undefined;
}

/**
 * Builds the queries for a list that is read by page number. Returns queries for several pages to prefetch if
 * CometChat reports the number of pages or items.
 */
export class PageNumberQueryBuilder implements PageQueryBuilder {
	private number: number;

	constructor(private readonly list: PagedListSettings) {
		this.number = list.firstPageNumber ?? 1;
	}

	createFirstQuery(): IDataObject {
		return this.createQueryForPage(this.number);
	}

	createQueriesForFollowingPages(
		page: Page,
		items: IDataObject[],
		progress: PagingProgress,
	): IDataObject[] {
		const { list, number } = this;
		const { perPage, firstPageNumber = 1 } = list;
		const { length } = items;
		const total = readPositivePaginationNumber(page, 'total');
		const isRepeated = progress.stalePages > 0 && length > 0;
		// CometChat may ignore page numbers in a list that fits on one page
		if (isRepeated && length < perPage && total === undefined) return [];
		// `progress.count` counts each item once, because CometChat may send a page again
		const before = (firstPageNumber - 1) * perPage + progress.count - length;
		// A page as long as the first also counts as full, because CometChat may have cut both (open question 2)
		const isFull = number > firstPageNumber && length > 0 && length >= progress.firstPageLength;
		const mayContinue = isFull && total === undefined;
		if (!mayContinue && !mayHaveNextPage(page, { number, perPage, before })) return [];
		if (progress.stalePages > MAX_STALE_PAGES) throw createStuckListError(list, items, progress);
		this.number++;
		const following = Math.max(1, this.findLastPageToPrefetch(page, progress) - number);
		return Array.from({ length: following }, (_, index) =>
			this.createQueryForPage(number + 1 + index),
		);
	}

	/** Returns the number of the last page to prefetch. */
	private findLastPageToPrefetch(page: Page, { firstPageLength }: PagingProgress): number {
		const { perPage, firstPageNumber = 1, limit = Infinity, maxAhead = MAX_AHEAD } = this.list;
		const size = firstPageLength || perPage;
		const total = readPositivePaginationNumber(page, 'total') ?? 0;
		const totalPages = readPositivePaginationNumber(page, 'total_pages') ?? 0;
		// Last page needed if no item repeats. If an item repeats, `createQueriesForFollowingPages` requests more pages
		const needed = firstPageNumber + Math.ceil(limit / size) - 1;
		return Math.min(
			Math.max(Math.ceil(total / size), totalPages),
			needed,
			this.number + maxAhead - 1,
		);
	}

	private createQueryForPage(page: number): IDataObject {
		return { page, perPage: this.list.perPage };
	}
}
