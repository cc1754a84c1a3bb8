import type { IDataObject } from 'n8n-workflow';

import { DescribedError } from '../errors/inputError';
import { countText } from '../errors/words';
import { pageOf, type Page } from '../transport/response';
import { field, isObject, objectOf } from '../transport/json';
import { List, MAX_OF_QUEUE, MAX_STALE_PAGES, NARROW, idOf, type ListPage } from './list';
import type { Entity, Many, Result } from '../description/types';
import type { Call } from './call';

/** Where a page begins, as query parameters of the service. */
type Cursor = IDataObject;

/** "prepend" goes back in time, "append" forward; undefined where only the service's cursor leads on. */
type Affix = 'append' | 'prepend' | undefined;

/** Names that a cursor of the service may have. */
const CURSOR_NAMES = ['affix', 'id', 'sentAt', 'fromTimestamp'];

/** Items on a page of the lists that cannot be asked for a number of them. */
const DEFAULT_PER_PAGE = 100;

/** A list whose next page begins after the last thing of the page before. */
export async function* byCursor({ many: entity, by }: Many, call: Call): AsyncGenerator<Result[]> {
	const list = new List(entity, call);
	const isOldestFirst = call.values.order === 'oldestFirst';
	const affix = by === 'cursor' ? undefined : isOldestFirst ? 'append' : 'prepend';
	yield* list.results(pagesOf(list, affix, call));
}

/** A queue. It is not documented how to ask for more than fits into one response. */
export async function* byQueue({ many: entity }: Many, call: Call): AsyncGenerator<Result[]> {
	const list = new List(entity, call);
	yield* list.results(pagesOfQueue(list, call));
}

async function* pagesOfQueue(
	list: List,
	{ request, client, hints }: Call,
): AsyncGenerator<ListPage> {
	const fetchPage: FetchQueue = async (query, number) =>
		await client.send(
			{ ...request, query: { ...request.query, ...query } },
			pageOf(list.entity.plural),
			number,
		);
	const freshOf = (items: IDataObject[]) => list.freshOf(items);
	const pages = queuePages(fetchPage, Math.min(list.limit, MAX_OF_QUEUE), freshOf);
	for await (const { isCut, ...page } of pages) {
		yield page;
		if (isCut && list.count < list.limit) hints.add(mayBeMore(list));
	}
}

/** @param number counted from 0 */
type FetchQueue = (query: IDataObject, number: number) => Promise<Page>;

/**
 * Reads a queue: what fits into one response, and what follows where the service sends a cursor that
 * leads to something new.
 *
 * @param limit most entries that a response may have
 * @returns its pages, the last of which may be cut: it is full, and nothing leads on
 */
export async function* queuePages(
	fetchPage: FetchQueue,
	limit: number,
	freshOf: (items: IDataObject[]) => IDataObject[],
): AsyncGenerator<ListPage & { isCut: boolean }> {
	let cursor: Cursor | undefined = {};
	for (let number = 0; cursor !== undefined; number++) {
		const page = await fetchPage({ ...cursor, limit }, number);
		const fresh = freshOf(page.data);
		cursor = fresh.length > 0 ? nextOf(page, undefined) : undefined;
		yield { page, fresh, isCut: cursor === undefined && page.data.length >= limit };
	}
}

const mayBeMore = ({ count, entity }: List): string =>
	`CometChat sent ${countText(count)} ${entity.plural} of the queue, and does not say how to get more. There may be more: review some, and list again.`;

/** The pages after one that came in another way. */
export function pagesFrom(page: Page, list: List, call: Call): AsyncGenerator<ListPage> {
	const cursor = nextOf(page, undefined) ?? after(list, page.data, undefined);
	const query = { ...call.request.query, perPage: list.perPage };
	const from = { cursor, perPage: Math.min(list.perPage, page.data.length) };
	return pagesOf(list, undefined, { ...call, request: { ...call.request, query } }, from);
}

/**
 * Reads from page to page: with the service's cursor where it sends one, else after the last thing
 * that came. The end is a page that is short or empty and has no cursor that leads on.
 *
 * @param from where the first page begins, and how long a page is, as the one before it was
 * @throws DescribedError when there may be more that cannot be reached
 */
async function* pagesOf(
	list: List,
	affix: Affix,
	{ request, client }: Call,
	from: { cursor: Cursor; perPage: number } = { cursor: {}, perPage: DEFAULT_PER_PAGE },
): AsyncGenerator<ListPage> {
	// A service that sends the item of the cursor again needs room for another one
	const perPage = affix && list.limit > 1 ? Math.max(2, list.perPage) : list.perPage;
	const size = affix === undefined ? {} : { limit: perPage };
	let cursor: Cursor = affix === undefined ? from.cursor : { affix };
	let hasShownNext = false;
	let stale = 0;
	for (let number = 0; ; number++) {
		const page = await client.send(
			{ ...request, query: { ...request.query, ...cursor, ...size } },
			pageOf(list.entity.plural),
			number,
		);
		const items = inOrder(page.data, affix, list.entity.id);
		const fresh = list.freshOf(items);
		yield { page, fresh };
		const next = nextOf(page, affix);
		const isNothing = items.length === 0 || (items.length === 1 && fresh.length === 0);
		const isEnd =
			next === undefined
				? isNothing ||
					isShort(page, affix ? perPage : from.perPage, affix !== undefined, hasShownNext)
				: isNothing && isSame(next, cursor);
		if (isEnd) return;
		hasShownNext ||= next !== undefined;
		stale = fresh.length > 0 ? 0 : stale + 1;
		if (stale === MAX_STALE_PAGES) throw stuck(list, 'sent nothing new', items);
		cursor = next ?? after(list, items, affix);
	}
}

function lastIdOf(items: IDataObject[], { id }: Entity): string | undefined {
	return idOf(objectOf(items.at(-1)), id);
}

function stuck({ entity, count }: List, what: string, items: IDataObject[]): DescribedError {
	const id = lastIdOf(items, entity);
	const where = id === undefined ? '' : `, the last one with the ID ${id}`;
	return new DescribedError(
		`CometChat ${what}, so the list stopped after ${countText(count)} ${entity.plural}${where}`,
		`There may be more. ${NARROW}`,
	);
}

/** A cursor of our own: after the last thing that came. */
function after(list: List, items: IDataObject[], affix: Affix): Cursor {
	const id = lastIdOf(items, list.entity);
	if (id === undefined) throw stuck(list, 'did not say how to go on', items);
	return { affix: affix ?? 'append', id };
}

/** The service's own cursor, when it goes on in the direction of the list. */
function nextOf({ meta }: Page, affix: Affix): Cursor | undefined {
	const { next, previous } = objectOf(meta);
	const cursors = affix === 'prepend' ? [previous, next] : [next];
	const found = cursors
		.filter(isObject)
		.find(
			(cursor) =>
				Boolean(cursor.id || cursor.sentAt) && (affix === undefined || cursor.affix === affix),
		);
	return found && cursorFieldsOf(found);
}

function cursorFieldsOf(cursor: Cursor): Cursor {
	return Object.fromEntries(
		CURSOR_NAMES.flatMap((name) => (name in cursor ? [[name, cursor[name]]] : [])),
	);
}

function isSame(a: Cursor, b: Cursor): boolean {
	return CURSOR_NAMES.every((name) => String(a[name]) === String(b[name]));
}

/** Oldest first. Ids are numbers that grow; as texts they can be larger than a number can hold. */
function byAge(name: string) {
	return (a: IDataObject, b: IDataObject): number => {
		const [left, right] = [idOf(a, name) ?? '', idOf(b, name) ?? ''];
		if (!/^\d+$/.test(left) || !/^\d+$/.test(right))
			return Number(a.sentAt) - Number(b.sentAt) || 0;
		return left.length - right.length || (left < right ? -1 : Number(left > right));
	};
}

/** A page in the order of the list: the service may send it in either. */
function inOrder(items: IDataObject[], affix: Affix, idName: string): IDataObject[] {
	if (affix === undefined) return items;
	const oldestFirst = [...items].sort(byAge(idName));
	return affix === 'append' ? oldestFirst : oldestFirst.reverse();
}

/**
 * Whether a page is shorter than another one could follow. In a list that goes on after an id, a page
 * shorter than asked for may be capped, unless the service has shown that it sends cursors.
 *
 * @param isById whether the list goes on after an id
 */
function isShort(page: Page, perPage: number, isById: boolean, hasShownNext: boolean): boolean {
	const { length } = page.data;
	const limit = pageLimitOf(page);
	if (!isById) return length < (limit ?? perPage);
	// What was asked for may only be repeated there
	if (limit !== undefined && limit !== perPage) return length < Math.min(limit, perPage);
	return hasShownNext && length < perPage;
}

/** How long the service says its pages are. */
function pageLimitOf({ meta }: Page): number | undefined {
	const limit = Number(field('current', 'limit')(meta ?? {}));
	return limit > 0 ? limit : undefined;
}
