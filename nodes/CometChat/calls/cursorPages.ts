import type { IDataObject } from 'n8n-workflow';

import {
	toNumberOrNaN,
	asObjectOrEmpty,
	createFieldReader,
	isObject,
	stringifyJson,
} from '../helpers/json';
import type { Page } from '../transport/response';
import {
	MAX_STALE_PAGES,
	createStuckListError,
	getIdAsString,
	type PagedListSettings,
	type PageQueryBuilder,
	type PagingProgress,
} from './paging';

/** CometChat's word for a list's direction in time: "prepend" is newest first, "append" is oldest first. */
export type PagingAffix = 'append' | 'prepend';

export interface CursorPagingSettings {
	/** Query parameters for the position of the first page. Empty for CometChat's default. */
	cursor: IDataObject;
	/** Direction of a list that is sorted by time */
	affix?: PagingAffix;
	/** Returns the query parameters that set the page size */
	getSizeQuery: (perPage: number) => IDataObject;
	/** Items requested per page. Undefined if the list has no page size parameter, or is sorted by time. */
	requestedPerPage?: number;
}

/**
 * Builds the queries for a list that is read by CometChat's cursors. If a page has no cursor but more items may
 * follow, the next page starts at the page's highest or lowest ID.
 */
export class CursorQueryBuilder implements PageQueryBuilder {
	private cursor: IDataObject;

	constructor(
		private readonly list: PagedListSettings,
		private readonly start: CursorPagingSettings,
	) {
		this.cursor = start.cursor;
	}

	createFirstQuery(): IDataObject {
		return this.createQueryAtCurrentCursor(this.list.perPage);
	}

	createQueriesForFollowingPages(
		page: Page,
		items: IDataObject[],
		progress: PagingProgress,
	): IDataObject[] {
		const { list, start } = this;
		const sent = readCursor(page, start.affix);
		const isStale = progress.stalePages > 0;
		// One repeated item is fine, because the last page can repeat the item that the cursor points to
		if (isStale && (items.length > 1 || progress.stalePages === MAX_STALE_PAGES)) {
			throw createStuckListError(list, items, progress);
		}
		if (isStale && (sent === undefined || stringifyJson(sent) === stringifyJson(this.cursor)))
			return [];
		if (sent === undefined && !this.mayContinueWithoutCursor(page, items, progress)) return [];
		this.cursor = sent ?? createCursorFromIds(list, items, progress, start.affix);
		return [this.createQueryAtCurrentCursor(progress.perPage)];
	}

	private createQueryAtCurrentCursor(perPage: number): IDataObject {
		return { ...this.cursor, ...this.start.getSizeQuery(perPage) };
	}

	/**
	 * True if more items may follow a page without a cursor (open questions 2 and 4). In a list that is sorted by
	 * time, more items may follow any page, because CometChat may filter a page's items. In any other list, more
	 * items may follow a full page. CometChat may have cut the first page to its own maximum, so a page of the
	 * same length can also be full.
	 */
	private mayContinueWithoutCursor(
		page: Page,
		{ length }: IDataObject[],
		{ firstPageLength }: PagingProgress,
	): boolean {
		const { affix, requestedPerPage } = this.start;
		if (affix !== undefined) return true;
		// Ignore the reported page size if a size was requested, because CometChat may report the requested size
		const size =
			requestedPerPage === undefined
				? (readPageLimit(page) ?? firstPageLength)
				: Math.min(requestedPerPage, firstPageLength);
		return length > 0 && length >= size;
	}
}

/**
 * Creates the cursor to the next page from a page's highest ID, or with 'prepend' from its lowest ID.
 *
 * @throws DescribedError if no item has an ID or, with 'prepend', if any item lacks an ID
 */
export function createCursorFromIds(
	list: PagedListSettings,
	items: IDataObject[],
	progress: PagingProgress,
	affix: PagingAffix = 'append',
): IDataObject {
	const ids = items.map((item) => getIdAsString(item, list.entity.id) ?? '').sort(compareIds);
	// CometChat continues a list from an ID, so use the highest or lowest ID, which isn't always the last item's
	const id = ids.at(affix === 'append' ? -1 : 0);
	if (id) return { affix, id };
	throw createStuckListError(list, items, progress);
}

/** Reads the cursor to the next page in the list's direction, if CometChat sent one. */
export function readCursor({ meta }: Page, affix?: PagingAffix): IDataObject | undefined {
	const { next, previous } = asObjectOrEmpty(meta);
	return (affix === 'prepend' ? [previous, next] : [next])
		.filter(isObject)
		.find((cursor) => (cursor.id || cursor.sentAt) && [undefined, cursor.affix].includes(affix));
}

function readPageLimit({ meta }: Page): number | undefined {
	return toNumberOrNaN(createFieldReader('current', 'limit')(meta)) || undefined;
}

const ID_ORDER = new Intl.Collator('en', { numeric: true });

/** Compares numeric IDs by value. IDs can have more digits than a JavaScript number can represent. */
export const compareIds = (a: string, b: string): number => ID_ORDER.compare(a, b);

/**
 * Sorts a page's messages by time, then by ID, in the list's direction. CometChat doesn't document the order of a
 * page (open question 6).
 */
export function sortMessagesInListDirection(
	items: IDataObject[],
	affix: PagingAffix,
	idName: string,
): IDataObject[] {
	const textOf = (item: IDataObject) => getIdAsString(item, idName) ?? '';
	const timeOf = ({ sentAt }: IDataObject) => toNumberOrNaN(sentAt) || 0;
	const oldestFirst = [...items].sort(
		(a, b) => timeOf(a) - timeOf(b) || compareIds(textOf(a), textOf(b)),
	);
	return affix === 'append' ? oldestFirst : oldestFirst.reverse();
}
