import type { Group, GroupPage } from './types';
import { isObject } from './types';

/** Largest page that the service gives. */
export const MAX_PER_PAGE = 1_000;

/**
 * Most items that one input item may give. n8n's runner for declarative nodes, which agents and
 * older versions use, hands them on as arguments of one function call, and that overflows its stack
 * somewhere above 120,000.
 */
export const MAX_ITEMS = 100_000;

/** Most groups that Output → Pages goes through in one run: they are all held in memory. */
export const MAX_GROUPS_IN_PAGES = 2_000_000;

/** Pages under way at once for one input item. */
export const MAX_AHEAD = 8;

/** Pages in a row that bring nothing new before the list is taken to be going round in circles. */
const MAX_STALE_PAGES = 3;

/** A list that cannot be gone through to its end. The message is a whole sentence for the user. */
export class ListError extends Error {}

export interface PagePlan {
	/** First page to fetch, counted from 1 */
	firstPage: number;
	/** Groups per page, as asked for */
	perPage: number;
	/** Groups wanted in all; Infinity for the whole list */
	limit: number;
	/** Pages under way at once; 1 for a list that must not lose a group while it changes */
	maxAhead?: number;
}

/** One page and its number, counted from 1. */
export interface NumberedPage {
	number: number;
	page: GroupPage;
}

function numberAt(pagination: unknown, key: string): number | undefined {
	const value = isObject(pagination) ? pagination[key] : undefined;
	return typeof value === 'number' && value > 0 ? value : undefined;
}

function paginationOf(page: GroupPage): unknown {
	return isObject(page.meta) ? page.meta.pagination : undefined;
}

/**
 * Whether another page follows. `total_pages` is the number of pages for some versions of the
 * service; for others it is the current page, or that plus one while there is more. Both say
 * "more" by being larger than the current page. Without a usable one a full page says it.
 */
function hasMore({ number, page }: NumberedPage, perPage: number): boolean {
	if (page.data.length === 0) return false;
	const pagination = paginationOf(page);
	const totalPages = numberAt(pagination, 'total_pages');
	if (totalPages !== undefined && totalPages >= number) return totalPages > number;
	return page.data.length >= Math.min(perPage, numberAt(pagination, 'per_page') ?? perPage);
}

/**
 * Goes through the pages in order and fetches ahead: from one page, as many at once as the list
 * has proved long, at most MAX_AHEAD; up to its end once `total_pages` turns out to be the number
 * of pages. So a list of one or two pages costs no request too many, and a long one at most
 * MAX_AHEAD - 1.
 */
export async function* walkPages(
	plan: PagePlan,
	fetchPage: (number: number) => Promise<GroupPage>,
): AsyncGenerator<NumberedPage> {
	const { firstPage, perPage, limit, maxAhead = MAX_AHEAD } = plan;
	const wanted = firstPage + Math.ceil(limit / perPage) - 1;
	/** The page that is next in turn, and those after it */
	const ahead: Array<Promise<GroupPage>> = [];
	let next = firstPage;
	let lastPage: number | undefined;
	let width = 1;
	for (let number = firstPage; ; number++) {
		// A moved list may hold a group twice, so one page beyond the wanted ones can be needed
		const end = Math.min(lastPage ?? Infinity, Math.max(wanted, number), number + width - 1);
		for (; next <= end; next++) {
			const fetched = fetchPage(next);
			fetched.catch(() => {}); // it is awaited below, or not needed any more
			ahead.push(fetched);
		}
		const [current] = ahead.splice(0, 1);
		const page = await current;
		yield { number, page };
		if (!hasMore({ number, page }, perPage)) return;
		const totalPages = numberAt(paginationOf(page), 'total_pages') ?? 0;
		if (lastPage !== undefined || totalPages > number + 1) {
			lastPage = Math.max(totalPages, number + 1);
			width = maxAhead;
		} else {
			width = Math.min(maxAhead, Math.max(1, Math.floor((number - firstPage + 1) / 2)));
		}
	}
}

/** Notices a service that gives the same groups again and again. */
class StaleCheck {
	private stale = 0;

	/** @throws ListError when too many pages in a row brought nothing new */
	check(isNew: boolean, number: number): void {
		this.stale = isNew ? 0 : this.stale + 1;
		if (this.stale >= MAX_STALE_PAGES) {
			throw new ListError(
				`CometChat repeats itself: pages ${number - this.stale + 1} to ${number} hold no group that did not come before. Set "Page" or "Limit" in the node, or use a filter`,
			);
		}
	}
}

function tooManyItems(): ListError {
	return new ListError(
		`The list has more than ${MAX_ITEMS.toLocaleString('en-US')} groups, which is more than n8n can hand on as single items. Set "Limit", narrow it down with "Filters", or set "Output" to "Pages"`,
	);
}

/** @throws ListError when the first page already says that the list is too long for single items */
function refuseLongLists({ number, page }: NumberedPage, plan: PagePlan): void {
	if (number !== plan.firstPage || plan.limit !== Infinity) return;
	const total = numberAt(paginationOf(page), 'total') ?? 0;
	if (total - (plan.firstPage - 1) * plan.perPage > MAX_ITEMS) throw tooManyItems();
}

/**
 * Each group once, in the service's order.
 *
 * @param keep is given the groups of each page as they come, so that they are not lost when a later
 * page cannot be had
 * @throws ListError when there are more than n8n can hand on, or the list does not end
 */
export async function eachGroup(
	plan: PagePlan,
	fetchPage: (number: number) => Promise<GroupPage>,
	keep: (groups: Group[]) => void,
): Promise<void> {
	const seen = new Set<string>();
	const stale = new StaleCheck();
	let count = 0;
	for await (const numbered of walkPages(plan, fetchPage)) {
		const fresh = numbered.page.data.filter(({ guid }) => {
			if (typeof guid !== 'string') return true;
			if (seen.has(guid)) return false;
			seen.add(guid);
			return true;
		});
		const room = Math.min(plan.limit, MAX_ITEMS) - count;
		keep(fresh.length > room ? fresh.slice(0, room) : fresh);
		count += Math.min(fresh.length, room);
		if (fresh.length > room && plan.limit > MAX_ITEMS) throw tooManyItems();
		if (count >= plan.limit) return;
		refuseLongLists(numbered, plan);
		stale.check(fresh.length > 0 || numbered.page.data.length === 0, numbered.number);
	}
}

/**
 * Each page as it came, until the wanted number of groups is reached. Nothing but the pages is
 * held: repetition is noticed by the first and last group of a page.
 *
 * @param keep is given each page, and says whether to go on
 * @throws ListError when the list does not end
 */
export async function eachPage(
	plan: PagePlan,
	fetchPage: (number: number) => Promise<GroupPage>,
	keep: (page: GroupPage) => boolean,
): Promise<void> {
	const stale = new StaleCheck();
	let count = 0;
	let pages = 0;
	let lastMark: string | undefined;
	for await (const { number, page } of walkPages(plan, fetchPage)) {
		const { data } = page;
		const mark = JSON.stringify([data.length, data.at(0)?.guid, data.at(-1)?.guid]);
		const isNew = mark !== lastMark || data.at(0)?.guid === undefined;
		// An empty page after others only says that there is no more
		if ((data.length > 0 || pages === 0) && !keep(page)) return;
		stale.check(isNew, number);
		lastMark = mark;
		count += data.length;
		pages++;
		if (count >= plan.limit) return;
		if (count >= MAX_GROUPS_IN_PAGES || pages >= MAX_ITEMS) {
			throw new ListError(
				`The list goes on after ${count.toLocaleString('en-US')} groups on ${pages.toLocaleString('en-US')} pages, which is as much as one run takes. Go on from there with "Page" set to ${number + 1}`,
			);
		}
	}
}
