import type { IDataObject } from 'n8n-workflow';

import { DescribedError } from '../errors/inputError';
import { formatCount } from '../errors/formatText';
import type { Page } from '../transport/response';
import { field, isObject, asObject } from '../transport/json';
import { List, MAX_QUEUE_ENTRIES, MAX_STALE_PAGES, NARROW_LIST_ADVICE, getId } from './list';
import type { Entity, ListResponse, Result } from '../description/types';
import type { OperationCall } from './call';

/** Query parameters that mark the start of a page. */
type Cursor = IDataObject;

/**
 * Paging direction of a list that is sorted by time. "prepend" lists the newest items first, and "append"
 * lists the oldest items first.
 */
type Affix = 'append' | 'prepend';

/** Names of the query parameters in CometChat's cursors. */
const CURSOR_NAMES = ['affix', 'id', 'sentAt', 'fromTimestamp'];

/** Items per page of a list that has no page-size parameter. */
const DEFAULT_PER_PAGE = 100;

/** Lists entities page by page, starting each page at the last entity's time or at CometChat's cursor. */
export async function* listByCursor(
	{ many: entity, by }: ListResponse,
	call: OperationCall,
): AsyncGenerator<Result[]> {
	const list = new List(entity, call);
	const affix = call.values.order === 'oldestFirst' ? 'append' : 'prepend';
	if (by === 'time') yield* fetchPagesFrom(list, { affix }, affix);
	else yield* fetchPagesFrom(list, {});
}

/** Continues a list by cursor if CometChat ignores page numbers. The given page is the last numbered page. */
export function continueByCursor(page: Page, list: List): AsyncGenerator<Result[]> {
	const cursor = readCursor(page) ?? createCursorAfter(list, page.data);
	const { perPage } = list;
	const fullLength = Math.min(perPage, page.data.length);
	return fetchPagesFrom(list, cursor, undefined, { size: { perPage }, fullLength });
}

/**
 * Fetches a list's pages, starting at a cursor.
 *
 * @param options.size query parameters that set the page size of a list without `affix`
 * @param options.fullLength number of items on a full page, used if the response doesn't report a page size
 * @throws DescribedError if the list may have more items that can't be reached
 */
async function* fetchPagesFrom(
	list: List,
	first: Cursor,
	affix?: Affix,
	{ size = {}, fullLength = DEFAULT_PER_PAGE }: { size?: IDataObject; fullLength?: number } = {},
): AsyncGenerator<Result[]> {
	let cursor: Cursor | undefined = first;
	for (let number = 0; cursor !== undefined && !list.isComplete; number++) {
		const query = { ...cursor, ...(affix ? { limit: getPageSize(list) } : size) };
		const page: Page = await list.fetchPage(query, number);
		const items: IDataObject[] = affix ? sortPage(page.data, affix, list.entity.id) : page.data;
		yield list.toResults(page, list.selectNew(items));
		const next = readCursor(page, affix);
		const isFull = affix !== undefined || items.length >= (readPageLimit(page) ?? fullLength);
		if (list.stalePages > 0)
			cursor = continuesAfterStalePage(list, items, next, cursor) ? next : undefined;
		else cursor = next ?? (isFull ? createCursorAfter(list, items, affix) : undefined);
	}
}

/**
 * Returns a page size of at least 2 unless the limit is 1, since a page can start with the item the cursor
 * points to.
 */
const getPageSize = ({ limit, perPage }: List): number =>
	limit > 1 ? Math.max(2, perPage) : perPage;

/**
 * Called after a page with no new items. Returns true if there are more pages to fetch.
 *
 * @throws DescribedError if the page repeats items, or if several successive pages had no new items
 */
function continuesAfterStalePage(
	list: List,
	items: IDataObject[],
	next: Cursor | undefined,
	current: Cursor,
): boolean {
	// The last page can repeat the item the cursor points to
	if (items.length > 1 || list.stalePages === MAX_STALE_PAGES) {
		throw createStuckError(list, 'sent nothing new', items);
	}
	return (
		next !== undefined && CURSOR_NAMES.some((name) => String(next[name]) !== String(current[name]))
	);
}

/** Lists a moderation queue. CometChat doesn't document how to get entries beyond the first response. */
export async function* listByQueue(
	{ many: entity }: ListResponse,
	call: OperationCall,
): AsyncGenerator<Result[]> {
	const list = new List(entity, call);
	const limit = Math.min(list.limit, MAX_QUEUE_ENTRIES);
	const pages = fetchQueuePages(
		async (query, number) => await list.fetchPage(query, number),
		limit,
		(items) => list.selectNew(items),
	);
	for await (const { page, fresh, isCut } of pages) {
		yield list.toResults(page, fresh);
		if (isCut && list.count < list.limit) call.hints.add(formatQueueHint(list));
		if (list.isComplete) return;
	}
}

/** Fetches a page of a moderation queue. Page numbers start at 0. */
type FetchQueue = (query: IDataObject, number: number) => Promise<Page>;

/**
 * Fetches the pages of a moderation queue. Another page is fetched if CometChat sends a cursor and the
 * current page has new entries.
 *
 * @param limit maximum entries per response
 * @param selectNew selects the entries that no earlier page contained
 * @returns pages and their new entries. `isCut` is true if the last page is full, so more entries may exist.
 */
export async function* fetchQueuePages(
	fetchPage: FetchQueue,
	limit: number,
	selectNew: (items: IDataObject[]) => IDataObject[],
): AsyncGenerator<{ page: Page; fresh: IDataObject[]; isCut: boolean }> {
	let cursor: Cursor | undefined = {};
	for (let number = 0; cursor !== undefined; number++) {
		const page = await fetchPage({ ...cursor, limit }, number);
		const fresh = selectNew(page.data);
		cursor = fresh.length > 0 ? readCursor(page) : undefined;
		yield { page, fresh, isCut: cursor === undefined && page.data.length >= limit };
	}
}

/** Formats the hint that a moderation queue may have more entries. */
const formatQueueHint = ({ count, entity }: List): string =>
	`CometChat sent ${formatCount(count)} ${entity.plural} from the queue and does not say how to get more, so there may be more. Review some of these, then list the queue again.`;

function getLastId(items: IDataObject[], { id }: Entity): string | undefined {
	return getId(asObject(items.at(-1)), id);
}

function createStuckError(
	{ entity, count }: List,
	what: string,
	items: IDataObject[],
): DescribedError {
	const id = getLastId(items, entity);
	const where = id === undefined ? '' : `, the last one with the ID ${id}`;
	return new DescribedError(
		`CometChat ${what}, so the list stopped after ${formatCount(count)} ${entity.plural}${where}`,
		`There may be more. ${NARROW_LIST_ADVICE}`,
	);
}

/** Creates a cursor for the items that follow a page's last item. */
function createCursorAfter(list: List, items: IDataObject[], affix: Affix = 'append'): Cursor {
	const id = getLastId(items, list.entity);
	if (id === undefined) throw createStuckError(list, 'did not say how to get the next page', items);
	return { affix, id };
}

/** Reads the cursor in CometChat's response that matches the list's paging direction. */
function readCursor({ meta }: Page, affix?: Affix): Cursor | undefined {
	const { next, previous } = asObject(meta);
	const found = (affix === 'prepend' ? [previous, next] : [next])
		.filter(isObject)
		.find((cursor) => (cursor.id || cursor.sentAt) && [undefined, cursor.affix].includes(affix));
	if (found === undefined) return undefined;
	return Object.fromEntries(
		CURSOR_NAMES.filter((name) => name in found).map((name) => [name, found[name]]),
	);
}

/** Reads the page size that CometChat reports. */
function readPageLimit({ meta }: Page): number | undefined {
	return Number(field('current', 'limit')(meta ?? {})) || undefined;
}

/** Compares numeric strings by value. IDs can have more digits than a JavaScript number can represent. */
const ID_ORDER = new Intl.Collator('en', { numeric: true });

/**
 * Sorts a page's items by ID to match the list's paging direction, since CometChat doesn't document the
 * order.
 */
function sortPage(items: IDataObject[], affix: Affix, idName: string): IDataObject[] {
	const textOf = (item: IDataObject) => getId(item, idName) ?? '';
	const oldestFirst = [...items].sort((a, b) => ID_ORDER.compare(textOf(a), textOf(b)));
	return affix === 'append' ? oldestFirst : oldestFirst.reverse();
}
