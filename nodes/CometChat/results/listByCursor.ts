import type { IDataObject } from 'n8n-workflow';

import { DescribedError } from '../errors/inputError';
import { formatCount } from '../errors/formatText';
import { pageReader, type Page } from '../transport/response';
import { field, isObject, asObject } from '../transport/json';
import { List, MAX_QUEUE_ENTRIES, MAX_STALE_PAGES, NARROW_LIST_ADVICE, getId } from './list';
import type { Entity, ListResponse, Result } from '../description/types';
import type { OperationCall } from './call';

/** Start of a page, as query parameters of the service. */
type Cursor = IDataObject;

/** "prepend" goes back in time, "append" forward. Other lists go on with the service's cursor alone. */
type Affix = 'append' | 'prepend';

/** Parameters that a cursor of the service may have. */
const CURSOR_NAMES = ['affix', 'id', 'sentAt', 'fromTimestamp'];

/** Items per page of lists whose page size can't be set. */
const DEFAULT_PER_PAGE = 100;

/** Lists entities in the order of time, or in the order of the service's cursors. */
export async function* listByCursor(
	{ many: entity, by }: ListResponse,
	call: OperationCall,
): AsyncGenerator<Result[]> {
	const list = new List(entity, call);
	const affix = call.values.order === 'oldestFirst' ? 'append' : 'prepend';
	if (by === 'time') yield* fetchPagesFrom({ affix }, list, call, affix);
	else yield* fetchPagesFrom({}, list, call);
}

/** Lists the pages that follow a page with a number, if the service only knows cursors. */
export function continueByCursor(
	page: Page,
	list: List,
	call: OperationCall,
): AsyncGenerator<Result[]> {
	const cursor = readCursor(page) ?? createCursorAfter(list, page.data);
	const query = { ...call.request.query, perPage: list.perPage };
	const perPage = Math.min(list.perPage, page.data.length);
	const request = { ...call.request, query };
	return fetchPagesFrom(cursor, list, { ...call, request }, undefined, perPage);
}

/**
 * Reads from page to page.
 *
 * @throws DescribedError if the list may have more items that can't be reached
 */
async function* fetchPagesFrom(
	first: Cursor,
	list: List,
	{ request, client }: OperationCall,
	affix?: Affix,
	perPage = DEFAULT_PER_PAGE,
): AsyncGenerator<Result[]> {
	let cursor: Cursor | undefined = first;
	for (let number = 0; cursor !== undefined && !list.isComplete; number++) {
		const size = affix ? { limit: getPageSize(list) } : {};
		const query: IDataObject = { ...request.query, ...cursor, ...size };
		const page: Page = await client.send(
			{ ...request, query },
			pageReader(list.entity.plural),
			number,
		);
		const items: IDataObject[] = affix ? sortPage(page.data, affix, list.entity.id) : page.data;
		yield list.toResults(page, list.selectNew(items));
		const next = readCursor(page, affix);
		const isFull = affix !== undefined || items.length >= (readPageLimit(page) ?? perPage);
		if (list.stalePages > 0)
			cursor = continuesAfterStalePage(list, items, next, cursor) ? next : undefined;
		else cursor = next ?? (isFull ? createCursorAfter(list, items, affix) : undefined);
	}
}

/** A service that sends the item of the cursor again needs room for another item. */
const getPageSize = ({ limit, perPage }: List): number =>
	limit > 1 ? Math.max(2, perPage) : perPage;

/**
 * Whether a page without new items is followed by another page.
 *
 * @throws DescribedError if the page repeats items, or is one of several such pages
 */
function continuesAfterStalePage(
	list: List,
	items: IDataObject[],
	next: Cursor | undefined,
	current: Cursor,
): boolean {
	// At the end of a list, some services send the item of the cursor again
	if (items.length > 1 || list.stalePages === MAX_STALE_PAGES) {
		throw createStuckError(list, 'sent nothing new', items);
	}
	return (
		next !== undefined && CURSOR_NAMES.some((name) => String(next[name]) !== String(current[name]))
	);
}

/** Lists a queue. CometChat doesn't document how to get entries beyond the first response. */
export async function* listByQueue(
	{ many: entity }: ListResponse,
	call: OperationCall,
): AsyncGenerator<Result[]> {
	const { request, client, hints } = call;
	const list = new List(entity, call);
	const fetchPage: FetchQueue = async (query, number) =>
		await client.send(
			{ ...request, query: { ...request.query, ...query } },
			pageReader(entity.plural),
			number,
		);
	const freshOf = (items: IDataObject[]) => list.selectNew(items);
	const limit = Math.min(list.limit, MAX_QUEUE_ENTRIES);
	for await (const { page, fresh, isCut } of fetchQueuePages(fetchPage, limit, freshOf)) {
		yield list.toResults(page, fresh);
		if (isCut && list.count < list.limit) hints.add(formatQueueHint(list));
		if (list.isComplete) return;
	}
}

/** Fetches a page of a queue; the first has the number 0. */
type FetchQueue = (query: IDataObject, number: number) => Promise<Page>;

/**
 * Reads a queue: as many entries as fit into one response, then more if the service sends a cursor that
 * leads to new entries.
 *
 * @param limit maximum entries per response
 * @param freshOf selects entries that didn't come before
 * @returns pages; the last one is cut if it's full and has no cursor
 */
export async function* fetchQueuePages(
	fetchPage: FetchQueue,
	limit: number,
	freshOf: (items: IDataObject[]) => IDataObject[],
): AsyncGenerator<{ page: Page; fresh: IDataObject[]; isCut: boolean }> {
	let cursor: Cursor | undefined = {};
	for (let number = 0; cursor !== undefined; number++) {
		const page = await fetchPage({ ...cursor, limit }, number);
		const fresh = freshOf(page.data);
		cursor = fresh.length > 0 ? readCursor(page) : undefined;
		yield { page, fresh, isCut: cursor === undefined && page.data.length >= limit };
	}
}

/** Hint for a queue that may have more entries. */
const formatQueueHint = ({ count, entity }: List): string =>
	`CometChat sent ${formatCount(count)} ${entity.plural} of the queue, and does not say how to get more. There may be more: review some, and list again.`;

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

/** A cursor that starts after the last item of a page. */
function createCursorAfter(list: List, items: IDataObject[], affix: Affix = 'append'): Cursor {
	const id = getLastId(items, list.entity);
	if (id === undefined) throw createStuckError(list, 'did not say how to go on', items);
	return { affix, id };
}

/** The service's cursor in the direction of the list. */
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

/** Items per page, as the service says. */
function readPageLimit({ meta }: Page): number | undefined {
	return Number(field('current', 'limit')(meta ?? {})) || undefined;
}

/** Compares items by age, oldest first. IDs are growing numbers, as texts larger than a number can hold. */
function compareByAge(name: string) {
	return (a: IDataObject, b: IDataObject): number => {
		const [left, right] = [getId(a, name) ?? '', getId(b, name) ?? ''];
		if (!/^\d+$/.test(left) || !/^\d+$/.test(right))
			return Number(a.sentAt) - Number(b.sentAt) || 0;
		return left.length - right.length || (left < right ? -1 : Number(left > right));
	};
}

/** Sorts a page in the order of the list: the service may send it in either order. */
function sortPage(items: IDataObject[], affix: Affix, idName: string): IDataObject[] {
	const oldestFirst = [...items].sort(compareByAge(idName));
	return affix === 'append' ? oldestFirst : oldestFirst.reverse();
}
