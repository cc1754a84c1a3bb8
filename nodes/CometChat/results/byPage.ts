import { DescribedError } from '../errors/describedError';
import type { Page } from '../transport/response';
import { pageOf } from '../transport/response';
import { objectOf } from '../transport/types';
import { pagesFrom } from './byCursor';
import type { ListPage } from './list';
import { List, MAX_STALE_PAGES, NARROW } from './list';
import { hasNextPage, numberAt } from './nextPage';
import type { Many, Result } from '../description/types';
import type { Call } from './call';

/** Pages under way at once for one input item. */
const MAX_AHEAD = 8;

/** A list whose pages have numbers, or may have them. */
export async function* byPage({ many: entity, by }: Many, call: Call): AsyncGenerator<Result[]> {
	const list = new List(entity, call);
	yield* list.results(by === 'page' ? pagesOf(list, call) : pagesOrCursor(list, call));
}

/** Where the service sends the first page again for the second, only a cursor leads on. */
async function* pagesOrCursor(list: List, call: Call): AsyncGenerator<ListPage> {
	for await (const { page } of fetchedPages(list, call)) {
		const fresh = list.freshOf(page.data);
		if (fresh.length === 0 && page.data.length > 0) return yield* pagesFrom(page, list, call);
		yield { page, fresh };
	}
}

/** @throws DescribedError when the service sends the same again and again */
async function* pagesOf(list: List, call: Call): AsyncGenerator<ListPage> {
	const { plural } = list.entity;
	let stale = 0;
	for await (const { number, page } of fetchedPages(list, call)) {
		const fresh = list.freshOf(page.data);
		yield { page, fresh };
		stale = fresh.length > 0 || page.data.length === 0 ? 0 : stale + 1;
		if (stale === MAX_STALE_PAGES) {
			throw new DescribedError(
				`CometChat sent the same ${plural} again on pages ${number - stale + 1} to ${number}, so the list stopped`,
				NARROW,
			);
		}
	}
}

/**
 * Goes through the pages in order and fetches ahead: from one page, as many at once as the list
 * has proved long, at most MAX_AHEAD; up to its end once that is known. So a list of one or two pages
 * costs no request too many, and a long one at most MAX_AHEAD - 1.
 */
async function* fetchedPages(
	list: List,
	{ request, values, client }: Call,
): AsyncGenerator<{ number: number; page: Page }> {
	const { perPage } = list;
	const { page: first } = objectOf(values.options);
	const firstPage = Number(first ?? 1);
	const fetchPage = async (page: number) =>
		await client.send(
			{ ...request, query: { ...request.query, page, perPage } },
			pageOf(list.entity.plural),
			page,
		);
	const length = new ListLength(firstPage, perPage);
	/** The page that is next in turn, and those after it */
	const ahead: Array<Promise<Page>> = [];
	let next = firstPage;
	let lastPage: number | undefined;
	let width = 1;
	for (let number = firstPage; ; number++) {
		// A moved list may hold an item twice, so one page beyond the wanted ones can be needed
		const wanted = Math.max(length.lastWanted(list.limit), number);
		const end = Math.min(lastPage ?? Infinity, wanted, number + width - 1);
		for (; next <= end; next++) {
			const fetched = fetchPage(next);
			fetched.catch(() => {}); // it is awaited below, or not needed any more
			ahead.push(fetched);
		}
		const [current] = ahead.splice(0, 1);
		const page = await current;
		yield { number, page };
		if (!length.hasMoreAfter(number, page)) return;
		const knownLast = length.lastPage(page);
		if (lastPage !== undefined || knownLast > number + 1) {
			lastPage = Math.max(knownLast, number + 1);
			width = MAX_AHEAD;
		} else {
			width = Math.min(MAX_AHEAD, Math.max(1, Math.floor((number - firstPage + 1) / 2)));
		}
	}
}

/** What the pages that came so far tell about the length of a list. */
class ListLength {
	private seen = 0;

	private firstLength = 0;

	constructor(
		private readonly firstPage: number,
		private readonly perPage: number,
	) {}

	hasMoreAfter(number: number, page: Page): boolean {
		const { firstPage, perPage } = this;
		if (number === firstPage) this.firstLength = page.data.length;
		const before = (firstPage - 1) * perPage + this.seen;
		this.seen += page.data.length;
		return hasNextPage(page, { number, perPage, before });
	}

	/** The number of the last page after one that is not empty, as far as it is known; 0 when it is not. */
	lastPage(page: Page): number {
		const total = this.firstPage === 1 ? (numberAt(page, 'total') ?? 0) : 0;
		return Math.max(Math.ceil(total / this.firstLength), numberAt(page, 'total_pages') ?? 0);
	}

	/** The last page that can be needed for the limit, when all pages are as long as the first one. */
	lastWanted(limit: number): number {
		return this.firstPage + Math.ceil(limit / (this.firstLength || this.perPage)) - 1;
	}
}
