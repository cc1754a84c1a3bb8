import type { IDataObject } from 'n8n-workflow';

import { DescribedError } from '../errors/inputError';
import { formatCount } from '../errors/formatText';
import { asNumber, asObject, fieldReader, isObject, toJson } from '../transport/json';
import type { Page } from '../transport/response';
import type { Entity, ListResponse } from '../types';

/** Maximum items per list request. */
export const MAX_PER_PAGE = 1_000;

/** Maximum entries per moderation queue response. */
export const MAX_QUEUE_ENTRIES = 100;

/** Number of successive pages without new items after which a list stops with an error. */
const MAX_STALE_PAGES = 3;

/** Maximum pages in flight for one input item. */
const MAX_AHEAD = 8;

/** Items per page of a list that has no page-size parameter. */
const DEFAULT_PER_PAGE = 100;

/**
 * Paging direction of a list that is sorted by time. "prepend" lists the newest items first, and "append"
 * lists the oldest items first.
 */
type Affix = 'append' | 'prepend';

/** A list to read page by page. */
export interface PagedList {
	entity: Pick<Entity, 'plural' | 'id'>;
	by: ListResponse['by'];
	fetchPage: (query: IDataObject) => Promise<Page>;
	/** Items to request per page. May be raised between two pages of a list that isn't read by page number. */
	perPage: number;
	/** Maximum items to fetch, or Infinity for the whole list */
	limit?: number;
	/** Number of the first page, counted from 1 */
	firstPage?: number;
	/** Maximum pages in flight */
	maxAhead?: number;
	/** Advice on reading only a part of the list, as a sentence */
	advice: string;
	order?: unknown;
}

/** Returns the queries for the pages that follow a page, in order. An empty list ends the list. */
type Next = (page: Page, items: IDataObject[], progress: Progress) => IDataObject[];

interface Progress {
	/** Number of distinct items so far */
	count: number;
	/** Number of consecutive pages without new items, up to the latest page */
	stalePages: number;
}

/** Returns an item's ID as a string, or undefined if the item has no ID. */
export function getId(item: Readonly<Record<string, unknown>>, name: string): string | undefined {
	const id = item[name];
	return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined;
}

/**
 * Reads a list page by page.
 *
 * @returns pages, each with the items that no earlier page contained. Items without an ID count as new.
 * @throws DescribedError if the list may have more items that can't be reached
 */
export async function* readPages(
	list: PagedList,
): AsyncGenerator<{ page: Page; fresh: IDataObject[] }> {
	const { entity, by, order } = list;
	const affix = by !== 'id' ? undefined : order === 'oldestFirst' ? 'append' : 'prepend';
	const seen = new Set<string>();
	const isNew = (item: IDataObject) => {
		const { size } = seen;
		return seen.add(getId(item, entity.id) ?? `no id, ${size}`).size > size;
	};
	const [first, next] = startPaging(list, affix);
	let queries = first;
	let stalePages = 0;
	/** Pages in flight in order, starting with the next page to yield */
	const ahead: Array<Promise<Page>> = [];
	while (queries.length > 0) {
		for (const query of queries.slice(ahead.length)) {
			const fetched = list.fetchPage(query);
			fetched.catch(() => {}); // Errors are handled when the page is awaited below
			ahead.push(fetched);
		}
		const page = await ahead.shift();
		if (page === undefined) return;
		const items = affix ? sortPage(page.data, affix, entity.id) : page.data;
		const fresh = items.filter(isNew);
		stalePages = fresh.length > 0 ? 0 : stalePages + 1;
		yield { page, fresh };
		queries = next(page, items, { count: seen.size, stalePages });
	}
}

function startPaging(list: PagedList, affix?: Affix): [first: IDataObject[], next: Next] {
	const { by, perPage, firstPage = 1 } = list;
	if (by === 'queue') {
		// CometChat doesn't document how to get entries beyond the first response
		return [[{ limit: Math.min(perPage, MAX_QUEUE_ENTRIES) }], () => []];
	}
	if (by === 'page' || by === 'pageOrCursor')
		return [[{ page: firstPage, perPage }], followNumbers(list, firstPage)];
	const size = () => (affix ? { limit: getPageSize(list) } : {});
	const first = affix ? { affix } : {};
	return [[{ ...first, ...size() }], followCursor(list, first, size, affix)];
}

/**
 * Follows page numbers. Later pages are prefetched if CometChat says how many there are. If a page only repeats
 * items and the list supports cursors, the list continues by cursor.
 */
function followNumbers(list: PagedList, firstPage: number): Next {
	const { by, perPage, limit = Infinity, maxAhead = by === 'pageOrCursor' ? 1 : MAX_AHEAD } = list;
	let number = firstPage;
	let pageLength = 0;
	let knowsEnd = false;
	let follow: Next | undefined;
	return (page, items, progress) => {
		if (follow) return follow(page, items, progress);
		const { length } = items;
		const isRepeated = progress.stalePages > 0 && length > 0;
		if (by === 'pageOrCursor' && isRepeated) {
			const cursor = readCursor(page) ?? createCursor(list, items, progress);
			follow = followCursor(list, cursor, () => ({ perPage }));
			return [{ ...cursor, perPage }];
		}
		const total = readPaginationNumber(page, 'total');
		// CometChat may ignore page numbers in a list that fits on one page
		if (isRepeated && length < perPage && total === undefined) return [];
		// Counts each item once, since CometChat may send a page again
		const before = (firstPage - 1) * perPage + progress.count - length;
		if (!hasNextPage(page, { number, perPage, before })) return [];
		if (progress.stalePages > MAX_STALE_PAGES) throw createStuckError(list, items, progress);
		number++;
		pageLength ||= length;
		const totalPages = readPaginationNumber(page, 'total_pages') ?? 0;
		const size = pageLength || perPage;
		const known = Math.max(Math.ceil((total ?? 0) / size), totalPages);
		knowsEnd ||= known > number;
		// If CometChat doesn't say how long the list is, a list that goes on is assumed to get half as long again
		const end = knowsEnd ? known : number - 1 + Math.floor((number - firstPage) / 2);
		// An item can shift to a later page and show up twice, so reaching the limit may take an extra page
		const needed = firstPage + Math.ceil(limit / size) - 1;
		const last = Math.min(end, needed, number + maxAhead - 1);
		const following = Math.max(0, last - number);
		return Array.from({ length: 1 + following }, (_, index) => ({ page: number + index, perPage }));
	};
}

/**
 * Follows CometChat's cursors. Without one, the next page starts after the last item of a full page.
 *
 * @param getSize returns the query parameters that set the page size
 */
function followCursor(
	list: PagedList,
	first: IDataObject,
	getSize: () => IDataObject,
	affix?: Affix,
): Next {
	let current = first;
	return (page, items, progress) => {
		const sent = readCursor(page, affix);
		const isStale = progress.stalePages > 0;
		// The last page can repeat the item the cursor points to
		if (isStale && (items.length > 1 || progress.stalePages === MAX_STALE_PAGES)) {
			throw createStuckError(list, items, progress);
		}
		if (isStale && (sent === undefined || toJson(sent) === toJson(current))) return [];
		const isFull = affix !== undefined || items.length >= (readPageLimit(page) ?? DEFAULT_PER_PAGE);
		if (sent === undefined && !isFull) return [];
		current = sent ?? createCursor(list, items, progress, affix);
		return [{ ...current, ...getSize() }];
	};
}

/**
 * Returns a page size of at least 2 unless the limit is 1, since a page can start with the item the cursor
 * points to.
 */
const getPageSize = ({ limit = Infinity, perPage }: PagedList): number =>
	limit > 1 ? Math.max(2, perPage) : perPage;

/** Position of a page in its list. */
export interface PagePosition {
	/** Page number, counted from 1 */
	number: number;
	/** Items requested per page */
	perPage: number;
	/** Number of items on all earlier pages */
	before: number;
}

/** Reads a positive number from `meta.pagination`. Returns undefined for any other value. */
export function readPaginationNumber({ meta }: Page, key: string): number | undefined {
	const value = fieldReader('pagination', key)(meta);
	return typeof value === 'number' && value > 0 ? value : undefined;
}

/**
 * True if another page follows. `total_pages` may be the number of pages, or the current page number, plus one
 * if another page follows. In both cases, another page follows if `total_pages` is larger than the current page
 * number. Pages can be shorter than requested and even empty, because CometChat may filter the items of a page.
 * A full page never ends a list, unless `total` has been reached.
 */
export function hasNextPage(page: Page, { number, perPage, before }: PagePosition): boolean {
	const { length } = page.data;
	const total = readPaginationNumber(page, 'total');
	const totalPages = readPaginationNumber(page, 'total_pages');
	if (totalPages !== undefined && totalPages > number) return true;
	const size = Math.min(perPage, readPaginationNumber(page, 'per_page') ?? perPage);
	if (length === 0) return total !== undefined && total > number * size;
	if (total !== undefined && total > before + length) return true;
	return length >= size ? total === undefined : totalPages === undefined && total === undefined;
}

function createStuckError(
	{ entity, advice }: PagedList,
	items: IDataObject[],
	{ count }: Progress,
): DescribedError {
	const id = getId(asObject(items.at(-1)), entity.id);
	const where = id === undefined ? '' : `, the last one with the ID ${id}`;
	return new DescribedError(
		`CometChat sent nothing new, so the list stopped after ${formatCount(count)} ${entity.plural}${where}`,
		`There may be more. ${advice}`,
	);
}

/** Creates a cursor for the items that follow a page. */
function createCursor(
	list: PagedList,
	items: IDataObject[],
	progress: Progress,
	affix: Affix = 'append',
): IDataObject {
	const ids = items.map((item) => getId(item, list.entity.id) ?? '').sort(ID_ORDER.compare);
	// Items are sorted by time, but CometChat continues a list at an ID
	const id = ids.at(affix === 'append' ? -1 : 0);
	if (id) return { affix, id };
	throw createStuckError(list, items, progress);
}

/** Reads the cursor in CometChat's response that matches the list's paging direction. */
function readCursor({ meta }: Page, affix?: Affix): IDataObject | undefined {
	const { next, previous } = asObject(meta);
	return (affix === 'prepend' ? [previous, next] : [next])
		.filter(isObject)
		.find((cursor) => (cursor.id || cursor.sentAt) && [undefined, cursor.affix].includes(affix));
}

/** Reads the page size that CometChat reports. */
function readPageLimit({ meta }: Page): number | undefined {
	return asNumber(fieldReader('current', 'limit')(meta)) || undefined;
}

/** Compares numeric strings by value. IDs can have more digits than a JavaScript number can represent. */
const ID_ORDER = new Intl.Collator('en', { numeric: true });

/**
 * Sorts a page's messages by time, then by ID, to match the list's paging direction, since CometChat doesn't
 * document the order.
 */
function sortPage(items: IDataObject[], affix: Affix, idName: string): IDataObject[] {
	const textOf = (item: IDataObject) => getId(item, idName) ?? '';
	const timeOf = ({ sentAt }: IDataObject) => asNumber(sentAt) || 0;
	const oldestFirst = [...items].sort(
		(a, b) => timeOf(a) - timeOf(b) || ID_ORDER.compare(textOf(a), textOf(b)),
	);
	return affix === 'append' ? oldestFirst : oldestFirst.reverse();
}
