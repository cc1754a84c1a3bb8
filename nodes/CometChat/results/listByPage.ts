import { DescribedError } from '../errors/inputError';
import type { ListResponse, Result } from '../description/types';
import { pageReader } from '../transport/response';
import { asObject } from '../transport/json';
import { continueByCursor } from './listByCursor';
import type { OperationCall } from './call';
import { List, MAX_STALE_PAGES, NARROW_LIST_ADVICE } from './list';
import { fetchNumberedPages } from './numberedPages';

/**
 * Lists entities by numbered pages. If the service sends the first page again for the second one, and
 * may know cursors, the list goes on by cursor.
 *
 * @throws DescribedError if the service sends the same items again and again
 */
export async function* listByPage(
	{ many: entity, by }: ListResponse,
	call: OperationCall,
): AsyncGenerator<Result[]> {
	const list = new List(entity, call);
	for await (const { number, page } of fetchPages(list, call)) {
		const fresh = list.selectNew(page.data);
		const isRepeated = fresh.length === 0 && page.data.length > 0;
		if (isRepeated && by === 'pageOrCursor') return yield* continueByCursor(page, list, call);
		yield list.toResults(page, fresh);
		if (list.isComplete) return;
		if (isRepeated && list.stalePages === MAX_STALE_PAGES) {
			throw new DescribedError(
				`CometChat sent the same ${entity.plural} again on pages ${number - MAX_STALE_PAGES + 1} to ${number}, so the list stopped`,
				NARROW_LIST_ADVICE,
			);
		}
	}
}

function fetchPages({ entity, perPage, limit }: List, { request, values, client }: OperationCall) {
	const { page: firstPage = 1 } = asObject(values.options);
	const fetchPage = async (page: number) =>
		await client.send(
			{ ...request, query: { ...request.query, page, perPage } },
			pageReader(entity.plural),
			page,
		);
	return fetchNumberedPages(fetchPage, { firstPage: Number(firstPage), perPage, limit });
}
