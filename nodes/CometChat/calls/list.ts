import { InputError } from '../errors/inputError';
import { formatCount } from '../helpers/formatText';
import { asObject } from '../helpers/json';
import { createPageReader } from '../transport/response';
import type { ListResponse, Result } from '../types';
import type { OperationCall } from './call';
import { ListSummary } from './listSummary';
import { fetchPages, limitPages } from './pages';
import { MAX_PER_PAGE, type PagedList } from './paging';

/** Part of a list to return. The first page and the page size are undefined unless the user chose them. */
type Range = Partial<Pick<PagedList, 'firstPageNumber' | 'perPage'>> &
	Required<Pick<PagedList, 'limit'>>;

/** @throws InputError if 'Page' requires 'Per Page', which is empty */
function readRange({ returnAll, limit, options }: OperationCall['values']): Range {
	const { page, perPage } = asObject(options);
	const size = perPage === undefined ? undefined : Number(perPage);
	if (returnAll === true) return { limit: Infinity, perPage: size };
	const range = { limit: Number(limit), perPage: size };
	if (page === undefined) return range;
	if (size === undefined && range.limit > MAX_PER_PAGE && Number(page) > 1) {
		throw new InputError(
			'Per Page',
			`is empty, but 'Page' requires it if 'Limit' is above ${formatCount(MAX_PER_PAGE)}`,
			"Add 'Per Page', or lower 'Limit'.",
		);
	}
	return { ...range, firstPageNumber: Number(page) };
}

/** Lists entities up to the limit, or the pages themselves if 'Output' is 'Pages'. */
export async function* list(
	{ many: entity, pagedBy }: ListResponse,
	{ request, client, values, hints }: OperationCall,
): AsyncGenerator<Result[]> {
	const { limit, firstPageNumber, perPage } = readRange(values);
	const { isExcluded, plural } = entity;
	const showsPages = values.output === 'pages';
	const read = createPageReader(plural);
	const pages = fetchPages({
		entity,
		pagedBy,
		order: asObject(values.options).order,
		limit,
		firstPageNumber,
		advice: `${limit < Infinity ? "Lower 'Limit'" : "Turn off 'Return All' and set 'Limit'"}${'filters' in values ? ', or add a filter' : ''}.`,
		perPage: perPage ?? Math.min(limit, MAX_PER_PAGE),
		perPageAfterExclusions: perPage ?? MAX_PER_PAGE,
		isExcluded: (item) => !showsPages && isExcluded?.(item, values) === true,
		fetchPage: async (query) =>
			await client.send({ ...request, query: { ...request.query, ...query } }, read),
	});
	const summary = new ListSummary({ plural, pagedBy, limit, firstPageNumber });
	try {
		for await (const part of limitPages(pages, limit)) {
			summary.add(showsPages ? { ...part, overLimit: 0 } : part);
			if (!showsPages) yield part.items.map((received) => ({ received }));
			// A page without new items is only returned if no earlier page had items
			else if (part.items.length > 0 || summary.count === 0) yield [{ received: part.page }];
		}
		summary.complete();
	} finally {
		for (const hint of summary.hints) hints.add(hint);
	}
}
