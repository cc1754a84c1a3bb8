import type { IDataObject } from 'n8n-workflow';

import type { Page } from '../transport/response';
import { isObject } from '../transport/types';
import type { ListPlan } from './lists';
import { DistinctItems, NARROW, idOf, refuseMorePages } from './lists';

/** Where a page of a list begins, as query parameters of the service. */
export type Cursor = IDataObject;

export interface CursorPlan extends ListPlan {
	/** "prepend" goes back in time, "append" forward; undefined where only the service's cursor leads on */
	affix?: 'append' | 'prepend';
}

/** Names that a cursor of the service may have. */
const CURSOR_NAMES = ['affix', 'id', 'sentAt', 'fromTimestamp'];

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
function inOrder({ data }: Page, { affix, id }: CursorPlan): IDataObject[] {
	if (affix === undefined) return data;
	const oldestFirst = [...data].sort(byAge(id));
	return affix === 'append' ? oldestFirst : oldestFirst.reverse();
}

/** The service's own cursor, when it goes on in the direction of the list. */
function nextOf({ meta }: Page, { affix }: CursorPlan): Cursor | undefined {
	const next = isObject(meta) ? meta.next : undefined;
	if (!isObject(next) || next.id === undefined) return undefined;
	if (affix !== undefined && next.affix !== affix) return undefined;
	return Object.fromEntries(
		CURSOR_NAMES.flatMap((name) => (name in next ? [[name, next[name]]] : [])),
	);
}

/** How long the service says its pages are, up to what was asked for. */
function pageLength({ meta }: Page, { perPage }: CursorPlan): number | undefined {
	const current = isObject(meta) ? meta.current : undefined;
	const limit = isObject(current) ? Number(current.limit) : NaN;
	return limit > 0 ? Math.min(limit, perPage) : undefined;
}

/** Tells the last page of a list. Services need not say which one it is, and may send short ones. */
class EndOfList {
	private longest = 0;

	private hasShownNext = false;

	constructor(private readonly plan: CursorPlan) {}

	isLast(page: Page): boolean {
		const { length } = page.data;
		const isLast = length === 0 || (nextOf(page, this.plan) === undefined && this.isShort(page));
		this.longest = Math.max(this.longest, length);
		this.hasShownNext ||= nextOf(page, this.plan) !== undefined;
		return isLast;
	}

	/**
	 * Whether a page without a cursor to the next one is shorter than pages of this service are. One
	 * that is only shorter than asked for may be capped, and another may follow.
	 */
	private isShort(page: Page): boolean {
		const { affix, perPage } = this.plan;
		if (affix === undefined) return true;
		const length = pageLength(page, this.plan);
		if (length === undefined || page.data.length >= length) return false;
		return length < perPage || this.hasShownNext || page.data.length < this.longest;
	}
}

/**
 * Goes from page to page by a cursor, each in the order of the list. It ends at a page that brings
 * nothing new, or that the service says to be the last.
 */
async function* walk(
	plan: CursorPlan,
	fetchPage: (cursor: Cursor) => Promise<Page>,
): AsyncGenerator<{ page: Page; items: IDataObject[] }> {
	const { affix } = plan;
	let cursor: Cursor = affix === undefined ? {} : { affix };
	let edge: string | undefined;
	const end = new EndOfList(plan);
	for (;;) {
		const page = await fetchPage(cursor);
		const items = inOrder(page, plan);
		yield { page, items };
		const last = items.at(-1);
		const id = last && idOf(last, plan.id);
		if (end.isLast(page) || id === undefined || id === edge) return;
		edge = id;
		cursor = nextOf(page, plan) ?? { affix, id };
	}
}

/**
 * Each item once, in order.
 *
 * @param keep gets the items of each page as they come
 * @throws ListError when there are more than n8n can take
 */
export async function eachItemByCursor(
	plan: CursorPlan,
	fetchPage: (cursor: Cursor) => Promise<Page>,
	keep: (items: IDataObject[]) => void,
): Promise<void> {
	const distinct = new DistinctItems<IDataObject>(plan);
	for await (const { items } of walk(plan, fetchPage)) {
		const isNew = distinct.add(items, keep);
		if (!isNew || distinct.isComplete) return;
	}
}

/**
 * Each page as it came, until the wanted number of items is reached.
 *
 * @param keep gets each page
 * @throws ListError when there are more than one run takes
 */
export async function eachPageByCursor(
	plan: CursorPlan,
	fetchPage: (cursor: Cursor) => Promise<Page>,
	keep: (page: Page) => void,
): Promise<void> {
	const distinct = new DistinctItems<IDataObject>({ ...plan, limit: Infinity, maxItems: Infinity });
	let count = 0;
	let pages = 0;
	for await (const { page, items } of walk(plan, fetchPage)) {
		const isNew = distinct.add(items, () => {});
		if (!isNew && pages > 0) return;
		refuseMorePages(plan, count, pages, NARROW);
		keep(page);
		count += items.length;
		pages++;
		if (!isNew || count >= plan.limit) return;
	}
}
