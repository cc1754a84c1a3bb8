import { DescribedError } from '../errors/inputError';
import type { Many, Result } from '../description/types';
import { pageOf } from '../transport/response';
import { objectOf } from '../transport/json';
import { byCursorAfter } from './byCursor';
import type { Call } from './call';
import { List, MAX_STALE_PAGES, NARROW } from './list';
import { numberedPages } from './numberedPages';

/**
 * Lists entities by numbered pages. If the service sends the first page again for the second one, and
 * may know cursors, the list goes on by cursor.
 *
 * @throws DescribedError if the service sends the same items again and again
 */
export async function* byPage({ many: entity, by }: Many, call: Call): AsyncGenerator<Result[]> {
	const list = new List(entity, call);
	for await (const { number, page } of pagesOf(list, call)) {
		const fresh = list.freshOf(page.data);
		const isRepeated = fresh.length === 0 && page.data.length > 0;
		if (isRepeated && by === 'pageOrCursor') return yield* byCursorAfter(page, list, call);
		yield list.resultsOf(page, fresh);
		if (list.isComplete) return;
		if (isRepeated && list.stalePages === MAX_STALE_PAGES) {
			throw new DescribedError(
				`CometChat sent the same ${entity.plural} again on pages ${number - MAX_STALE_PAGES + 1} to ${number}, so the list stopped`,
				NARROW,
			);
		}
	}
}

function pagesOf({ entity, perPage, limit }: List, { request, values, client }: Call) {
	const { page: firstPage = 1 } = objectOf(values.options);
	const fetchPage = async (page: number) =>
		await client.send(
			{ ...request, query: { ...request.query, page, perPage } },
			pageOf(entity.plural),
			page,
		);
	return numberedPages(fetchPage, { firstPage: Number(firstPage), perPage, limit });
}
