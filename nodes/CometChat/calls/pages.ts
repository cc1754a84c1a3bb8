import type { IDataObject } from 'n8n-workflow';

import type { Page } from '../transport/response';
import type { ListResponseSettings } from '../types';
import {
	CursorQueryBuilder,
	createCursorFromIds,
	readCursor,
	sortMessagesInListDirection,
	type PagingAffix,
} from './cursorPages';
import { PageNumberQueryBuilder } from './numberedPages';
import {
	MAX_PER_MODERATION_PAGE,
	getIdAsString,
	type PagedListSettings,
	type PageQueryBuilder,
	type PagingProgress,
} from './paging';

export interface PageWithNewItems {
	page: Page;
	/** The page's items, except those that an earlier page contained or that are excluded from the output */
	fresh: IDataObject[];
}

/** A page, and those of its new items that are within the limit. */
export interface PageWithItemsWithinLimit {
	page: Page;
	items: IDataObject[];
	/** Number of the page's new items beyond the limit */
	overLimit: number;
}

/** Yields pages with their new items, up to `limit` items in total. */
export async function* limitTotalItems(
	pages: AsyncIterable<PageWithNewItems>,
	limit: number,
): AsyncGenerator<PageWithItemsWithinLimit> {
	let rest = limit;
	for await (const { page, fresh } of pages) {
		const items = fresh.slice(0, rest);
		rest -= items.length;
		yield { page, items, overLimit: fresh.length - items.length };
		if (rest === 0) return;
	}
}

/**
 * Reads a list page by page. Items without an ID count as new. With cursors, each page is requested after the
 * previous page, which contains the cursor. With page numbers, several pages can be requested in parallel.
 *
 * @throws DescribedError if the list may have more items that can't be reached, or the errors of `fetchPage`
 */
export async function* streamAllPages(
	list: Readonly<PagedListSettings>,
): AsyncGenerator<PageWithNewItems> {
	const { entity, perPage, perPageAfterExclusions = perPage, isExcluded = () => false } = list;
	const affix = getAffix(list);
	const queryBuilder = QUERY_BUILDER_CREATORS[list.pagedBy](list);
	const seen = new Set<string>();
	const isNew = (item: IDataObject) => {
		const { size } = seen;
		return seen.add(getIdAsString(item, entity.id) ?? `no id, ${size}`).size > size;
	};
	const progress: PagingProgress = { count: 0, stalePages: 0, firstPageLength: 0, perPage };
	let queries = [queryBuilder.createFirstQuery()];
	/** Pages in flight, in list order. The first one is the next to yield. */
	const ahead: Array<Promise<Page>> = [];
	while (queries.length > 0) {
		for (const query of queries.slice(ahead.length)) {
			const fetched = list.fetchPage(query);
			fetched.catch(() => {}); // Errors are handled when the page is awaited below
			ahead.push(fetched);
		}
		const page = await ahead.shift();
		if (page === undefined) return;
		const items = affix ? sortMessagesInListDirection(page.data, affix, entity.id) : page.data;
		const distinct = items.filter(isNew);
		const fresh = distinct.filter((item) => !isExcluded(item));
		progress.count = seen.size;
		progress.stalePages = distinct.length > 0 ? 0 : progress.stalePages + 1;
		progress.firstPageLength ||= items.length;
		if (fresh.length < distinct.length / 2) progress.perPage = perPageAfterExclusions;
		yield { page, fresh };
		queries = queryBuilder.createQueriesForFollowingPages(page, items, progress);
	}
}

const getAffix = ({ pagedBy, order }: PagedListSettings): PagingAffix | undefined =>
	pagedBy !== 'id' ? undefined : order === 'oldestFirst' ? 'append' : 'prepend';

/** Functions that create the query builder, keyed by the value of `pagedBy`. */
const QUERY_BUILDER_CREATORS: Record<
	ListResponseSettings['pagedBy'],
	(list: PagedListSettings) => PageQueryBuilder
> = {
	// CometChat doesn't document how to get entries beyond the first response (open question 5 in docs/status.md)
	queue: ({ perPage }) => ({
		createFirstQuery: () => ({ limit: Math.min(perPage, MAX_PER_MODERATION_PAGE) }),
		createQueriesForFollowingPages: () => [],
	}),
	page: (list) => new PageNumberQueryBuilder(list),
	pageOrCursor: (list) => new PagesThenCursorsQueryBuilder(list),
	cursor: (list) => new CursorQueryBuilder(list, { cursor: {}, getSizeQuery: () => ({}) }),
	id: (list) => {
		const affix = getAffix(list);
		return new CursorQueryBuilder(list, {
			cursor: { affix },
			affix,
			getSizeQuery: (perPage) => ({ limit: getPageSizeForIds({ ...list, perPage }) }),
		});
	},
};

/**
 * Returns a page size of at least 2, unless the limit is 1, because a page can start with the item that the cursor
 * points to.
 */
const getPageSizeForIds = ({ limit = Infinity, perPage }: PagedListSettings): number =>
	limit > 1 ? Math.max(2, perPage) : perPage;

/**
 * Requests pages by number until a page only repeats items. Then continues by cursor, because CometChat may
 * ignore page numbers (open question 3).
 */
class PagesThenCursorsQueryBuilder implements PageQueryBuilder {
	private readonly numbers: PageNumberQueryBuilder;

	private cursors?: CursorQueryBuilder;

	private readonly list: PagedListSettings;

	constructor(list: PagedListSettings) {
		this.list = { maxAhead: 1, ...list };
		this.numbers = new PageNumberQueryBuilder(this.list);
	}

	createFirstQuery(): IDataObject {
		return this.numbers.createFirstQuery();
	}

	createQueriesForFollowingPages(
		page: Page,
		items: IDataObject[],
		progress: PagingProgress,
	): IDataObject[] {
		if (this.cursors) return this.cursors.createQueriesForFollowingPages(page, items, progress);
		const isRepeated = progress.stalePages > 0 && items.length > 0;
		if (!isRepeated) return this.numbers.createQueriesForFollowingPages(page, items, progress);
		const { list } = this;
		const { perPage } = list;
		this.cursors = new CursorQueryBuilder(list, {
			cursor: readCursor(page) ?? createCursorFromIds(list, items, progress),
			getSizeQuery: () => ({ perPage }),
			requestedPerPage: perPage,
		});
		return [this.cursors.createFirstQuery()];
	}
}
