import type { Page } from '../transport/response';
import { isObject } from '../transport/types';
import type { ListPlan } from './lists';
import { DistinctItems, RepetitionCheck, idOf, refuseMorePages, tooManyItems } from './lists';

/** Pages under way at once for one input item. */
export const MAX_AHEAD = 8;

export interface PagePlan extends ListPlan {
	/** First page to fetch, counted from 1 */
	firstPage: number;
}

/** One page and its number, counted from 1. */
export interface NumberedPage {
	number: number;
	page: Page;
	/** Whether another page may follow */
	hasMore: boolean;
}

/** A number of `meta.pagination`; undefined for what is missing, or is not above 0. */
export function numberAt({ meta }: Page, key: string): number | undefined {
	const pagination = isObject(meta) ? meta.pagination : undefined;
	const value = isObject(pagination) ? pagination[key] : undefined;
	return typeof value === 'number' && value > 0 ? value : undefined;
}

/** What the pages that came so far tell about the length of a list. */
class Progress {
	private seen = 0;

	private firstLength = 0;

	/** Items on the pages before the first one, as far as that one shows */
	private skipped = 0;

	constructor(private readonly plan: PagePlan) {}

	add(number: number, page: Page): void {
		const { length } = page.data;
		if (number === this.plan.firstPage) {
			this.firstLength = length;
			const before = (number - 1) * this.pageLength(page);
			// A first page may be short because it is the last one: then the total says so exactly
			const isLast = numberAt(page, 'total') === before + length;
			this.skipped = isLast ? before : (number - 1) * Math.min(this.plan.perPage, length);
		}
		this.seen += length;
	}

	/** Items on a full page, by what was asked for and what the service says. */
	private pageLength(page: Page): number {
		const { perPage } = this.plan;
		return Math.min(perPage, numberAt(page, 'per_page') ?? perPage);
	}

	/**
	 * Whether another page follows. `total_pages` is the number of pages for some versions of the
	 * service; for others it is the current page, or that plus one while there is more. Both say
	 * "more" by being larger than the current page. Otherwise `total` may still say it, for a service
	 * whose pages are shorter than asked for. When neither is usable, only an empty page is the end:
	 * `per_page` may be what was asked for, and not what the service sends at most.
	 */
	hasMore(number: number, page: Page): boolean {
		if (page.data.length === 0) return false;
		const total = numberAt(page, 'total');
		if (total !== undefined && total > this.skipped + this.seen) return true;
		const totalPages = numberAt(page, 'total_pages');
		if (totalPages !== undefined && totalPages >= number) return totalPages > number;
		if (total === undefined) return true;
		return page.data.length >= this.pageLength(page);
	}

	/** The number of the last page, as far as it is known; 0 when it is not. */
	lastPage(page: Page): number {
		const total = this.plan.firstPage === 1 ? (numberAt(page, 'total') ?? 0) : 0;
		const byTotal = this.firstLength > 0 ? Math.ceil(total / this.firstLength) : 0;
		return Math.max(byTotal, numberAt(page, 'total_pages') ?? 0);
	}

	/** The last page that can be needed for the limit, when all pages are as long as the first one. */
	lastWanted(): number {
		const length = this.firstLength || this.plan.perPage;
		return this.plan.firstPage + Math.ceil(this.plan.limit / length) - 1;
	}
}

/**
 * Goes through the pages in order and fetches ahead: from one page, as many at once as the list
 * has proved long, at most MAX_AHEAD; up to its end once that is known. So a list of one or two pages
 * costs no request too many, and a long one at most MAX_AHEAD - 1.
 */
export async function* walkPages(
	plan: PagePlan,
	fetchPage: (number: number) => Promise<Page>,
): AsyncGenerator<NumberedPage> {
	const { firstPage } = plan;
	const progress = new Progress(plan);
	/** The page that is next in turn, and those after it */
	const ahead: Array<Promise<Page>> = [];
	let next = firstPage;
	let lastPage: number | undefined;
	let width = 1;
	for (let number = firstPage; ; number++) {
		// A moved list may hold an item twice, so one page beyond the wanted ones can be needed
		const wanted = Math.max(progress.lastWanted(), number);
		const end = Math.min(lastPage ?? Infinity, wanted, number + width - 1);
		for (; next <= end; next++) {
			const fetched = fetchPage(next);
			fetched.catch(() => {}); // it is awaited below, or not needed any more
			ahead.push(fetched);
		}
		const [current] = ahead.splice(0, 1);
		const page = await current;
		progress.add(number, page);
		const hasMore = progress.hasMore(number, page);
		yield { number, page, hasMore };
		if (!hasMore) return;
		const knownLast = progress.lastPage(page);
		if (lastPage !== undefined || knownLast > number + 1) {
			lastPage = Math.max(knownLast, number + 1);
			width = MAX_AHEAD;
		} else {
			width = Math.min(MAX_AHEAD, Math.max(1, Math.floor((number - firstPage + 1) / 2)));
		}
	}
}

/** @throws ListError when the first page already says that the list is too long for single items */
function refuseLongLists({ number, page }: NumberedPage, plan: PagePlan): void {
	if (number !== plan.firstPage || plan.limit !== Infinity) return;
	const total = numberAt(page, 'total') ?? 0;
	if (total - (plan.firstPage - 1) * plan.perPage > plan.maxItems) throw tooManyItems(plan);
}

/**
 * Each item once, in the service's order.
 *
 * @param keep gets the items of each page as they come, so that they are not lost when a later page
 * fails
 * @throws ListError when there are more than n8n can take, or the list does not end
 */
export async function eachItem(
	plan: PagePlan,
	fetchPage: (number: number) => Promise<Page>,
	keep: (items: Page['data']) => void,
): Promise<void> {
	const items = new DistinctItems<Page['data'][number]>(plan);
	const repetition = new RepetitionCheck(plan.plural);
	for await (const numbered of walkPages(plan, fetchPage)) {
		const { page, number } = numbered;
		const isNew = items.add(page.data, keep);
		if (items.isComplete) return;
		refuseLongLists(numbered, plan);
		repetition.add(isNew || page.data.length === 0, number);
	}
}

/**
 * Each page as it came, until the wanted number of items is reached. Nothing but the pages is
 * held: repetition is noticed by the first and last item of a page.
 *
 * @param keep gets each page, and says whether to go on
 * @throws ListError when the list does not end
 */
export async function eachPage(
	plan: PagePlan,
	fetchPage: (number: number) => Promise<Page>,
	keep: (page: Page) => boolean,
): Promise<void> {
	const repetition = new RepetitionCheck(plan.plural);
	let items = 0;
	let pages = 0;
	let lastEdges: string | undefined;
	for await (const { number, page } of walkPages(plan, fetchPage)) {
		const { data } = page;
		if (data.length > 0) {
			refuseMorePages(plan, items, pages, `To go on from there, set 'Page' to ${number}.`);
		}
		const firstId = idOf(data.at(0) ?? {}, plan.id);
		const edges = JSON.stringify([data.length, firstId, idOf(data.at(-1) ?? {}, plan.id)]);
		const isNew = edges !== lastEdges || firstId === undefined;
		// An empty page after others only says that there is no more
		if ((data.length > 0 || pages === 0) && !keep(page)) return;
		repetition.add(isNew, number);
		lastEdges = edges;
		items += data.length;
		pages++;
		if (items >= plan.limit) return;
	}
}
