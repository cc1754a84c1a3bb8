import { DescribedError } from '../errors/inputError';
import type { ListResponse, Result } from '../description/types';
import { asObject } from '../transport/json';
import { continueByCursor } from './listByCursor';
import type { OperationCall } from './call';
import { List, MAX_STALE_PAGES, NARROW_LIST_ADVICE } from './list';
import { fetchNumberedPages } from './numberedPages';

/**
 * Lists entities by page number. If a page only repeats items and the list supports cursors, the list
 * continues by cursor.
 *
 * @throws DescribedError if several successive pages only repeat items
 */
export async function* listByPage(
	{ many: entity, by }: ListResponse,
	call: OperationCall,
): AsyncGenerator<Result[]> {
	const list = new List(entity, call);
	const { perPage, limit } = list;
	const firstPage = Number(asObject(call.values.options).page ?? 1);
	const fetchPage = async (page: number) => await list.fetchPage({ page, perPage }, page);
	const pages = fetchNumberedPages(fetchPage, { firstPage, perPage, limit });
	for await (const { number, page } of pages) {
		const fresh = list.selectNew(page.data);
		const isRepeated = fresh.length === 0 && page.data.length > 0;
		if (isRepeated && by === 'pageOrCursor') return yield* continueByCursor(page, list);
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
