import { DescribedError } from '../errors/inputError';
import type { Many, Result } from '../description/types';
import { pageOf } from '../transport/response';
import { objectOf } from '../transport/json';
import { pagesFrom } from './byCursor';
import type { Call } from './call';
import { List, MAX_STALE_PAGES, NARROW, type ListPage } from './list';
import { numberedPages } from './numberedPages';

/** A list whose pages have numbers, or may have them. */
export async function* byPage({ many: entity, by }: Many, call: Call): AsyncGenerator<Result[]> {
	const list = new List(entity, call);
	yield* list.results(by === 'page' ? pagesOf(list, call) : pagesOrCursor(list, call));
}

/** Where the service sends the first page again for the second, only a cursor leads on. */
async function* pagesOrCursor(list: List, call: Call): AsyncGenerator<ListPage> {
	for await (const { page } of pagesOfList(list, call)) {
		const fresh = list.freshOf(page.data);
		if (fresh.length === 0 && page.data.length > 0) return yield* pagesFrom(page, list, call);
		yield { page, fresh };
	}
}

/** @throws DescribedError when the service sends the same again and again */
async function* pagesOf(list: List, call: Call): AsyncGenerator<ListPage> {
	const { plural } = list.entity;
	let stale = 0;
	for await (const { number, page } of pagesOfList(list, call)) {
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

function pagesOfList({ entity, perPage, limit }: List, { request, values, client }: Call) {
	const { page: firstPage = 1 } = objectOf(values.options);
	const fetchPage = async (page: number) =>
		await client.send(
			{ ...request, query: { ...request.query, page, perPage } },
			pageOf(entity.plural),
			page,
		);
	return numberedPages(fetchPage, { firstPage: Number(firstPage), perPage, limit });
}
