import type { IDataObject } from 'n8n-workflow';

import { DescribedError } from '../errors/describedErrors';
import { formatNumber } from '../helpers/formatText';
import { asObjectOrEmpty } from '../helpers/json';
import type { Page } from '../transport/response';
import type { EntityDefinition, ListResponseSettings } from '../types';

/** Maximum number of messages in a response that lists a moderation queue. */
export const MAX_PER_MODERATION_PAGE = 100;

/**
 * Number of consecutive pages without new items after which reading by cursor stops with an error. Reading by cursor
 * stops at once if such a page contains several items. Reading by page number stops after one more page.
 */
export const MAX_STALE_PAGES = 3;

/** Describes a list and how to read it page by page. */
export interface PagedListSettings {
	entity: Pick<EntityDefinition, 'plural' | 'id'>;
	pagedBy: ListResponseSettings['pagedBy'];
	fetchPage: (query: IDataObject) => Promise<Page>;
	perPage: number;
	/** Items to request per page after most new items of a page were excluded. Default: `perPage`. */
	perPageAfterExclusions?: number;
	/** True if an item is excluded from the output */
	isExcluded?: (item: IDataObject) => boolean;
	/**
	 * Number of items that the caller needs. Limits page sizes and the pages to prefetch, but doesn't cut the list off.
	 * Default: Infinity.
	 */
	limit?: number;
	/** Number of the page to start from. The list's first page, 1, is the default. */
	firstPageNumber?: number;
	/** Maximum pages in flight */
	maxAhead?: number;
	/** Sentence for an error that advises how to read only a part of the list */
	advice: string;
	order?: unknown;
}

/** Progress through a list, up to and including the latest page. */
export interface PagingProgress {
	/** Number of distinct items */
	count: number;
	/** Number of consecutive pages without new items, up to the latest page */
	stalePages: number;
	/** Number of items on the first non-empty page. 0 until a non-empty page was read. */
	firstPageLength: number;
	/** Items to request per page from now on. Ignored for a list that is read by page number. */
	perPage: number;
}

/** Builds the queries for a list's pages. Has state, so each list needs its own object. */
export interface PageQueryBuilder {
	/** Returns the query for the first page. */
	createFirstQuery(): IDataObject;
	/**
	 * Returns the queries for the pages that follow the latest page, in order. An empty array ends the list.
	 *
	 * @throws DescribedError if the list may have more items that can't be reached
	 */
	createQueriesForFollowingPages(
		page: Page,
		items: IDataObject[],
		progress: PagingProgress,
	): IDataObject[];
}

/** Returns an item's ID as a string, or undefined if the item has no ID. */
export function getIdAsString(
	item: Readonly<Record<string, unknown>>,
	name: string,
): string | undefined {
	const id = item[name];
	return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined;
}

export function createStuckListError(
	{ entity, advice }: PagedListSettings,
	items: IDataObject[],
	{ count }: PagingProgress,
): DescribedError {
	const id = getIdAsString(asObjectOrEmpty(items.at(-1)), entity.id);
	const where = id === undefined ? '' : `, the last one with the ID ${id}`;
	return new DescribedError(
		`CometChat sent nothing new, so the list stopped after ${formatNumber(count)} ${entity.plural}${where}`,
		`There may be more. ${advice}`,
	);
}
