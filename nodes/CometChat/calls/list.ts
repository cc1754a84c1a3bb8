import { InputError } from '../errors/inputError';
import { formatCount } from '../helpers/formatText';
import { asObject } from '../helpers/json';
import { pageReader } from '../transport/response';
import type { ListResponse, Result } from '../types';
import type { OperationCall } from './call';
import { readPaginationNumber } from './numberedPages';
import { readPages } from './pages';
import { MAX_PER_PAGE, MAX_QUEUE_ENTRIES, type PagedList } from './paging';

/** Part of a list to return. The first page and the page size are undefined unless the user chose them. */
type Range = Partial<Pick<PagedList, 'firstPage' | 'perPage'>> & Required<Pick<PagedList, 'limit'>>;

/** @throws InputError if the page size is unclear */
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
	return { ...range, firstPage: Number(page) };
}

/** Lists entities up to the limit, or the pages themselves if 'Output' is 'Pages'. */
export async function* list(
	{ many: entity, by }: ListResponse,
	{ request, client, values, hints }: OperationCall,
): AsyncGenerator<Result[]> {
	const { output } = values;
	const { limit, firstPage, perPage } = readRange(values);
	const read = pageReader(entity.plural);
	const pages: PagedList = {
		entity,
		by,
		order: asObject(values.options).order,
		limit,
		firstPage,
		advice: `${limit < Infinity ? "Lower 'Limit'" : "Turn off 'Return All' and set 'Limit'"}${'filters' in values ? ', or add a filter' : ''}.`,
		perPage: perPage ?? Math.min(limit, MAX_PER_PAGE),
		fetchPage: async (query) =>
			await client.send({ ...request, query: { ...request.query, ...query } }, read),
	};
	const { isExcluded, plural } = entity;
	let count = 0;
	let isCut = false;
	let number = firstPage ?? 1;
	let total = 0;
	for await (const { page, fresh } of readPages(pages)) {
		const wanted =
			isExcluded && output !== 'pages' ? fresh.filter((item) => !isExcluded(item, values)) : fresh;
		// If most items are excluded, request larger pages
		if (wanted.length < fresh.length / 2 && perPage === undefined) pages.perPage = MAX_PER_PAGE;
		const results = wanted.slice(0, limit - count).map((sent) => ({ sent }));
		// After the first page, a page without new items only marks the end of the list
		if (output !== 'pages') yield results;
		else if (fresh.length > 0 || count === 0) yield [{ sent: page }];
		count += wanted.length;
		const newTotal = readPaginationNumber(page, 'total') ?? total;
		if (newTotal < total) {
			hints.add(
				`Some ${plural} were deleted while the list was read, so others may be missing. Run the node again to get all of them.`,
			);
		}
		total = newTotal;
		if (count >= limit) {
			const leftOut = wanted.length - results.length;
			if (firstPage !== undefined && leftOut > 0 && output !== 'pages') {
				hints.add(
					`Limit left out ${formatCount(leftOut)} of the ${plural} on page ${number}. Set Limit to a multiple of Per Page.`,
				);
			}
			return;
		}
		number++;
		isCut = by === 'queue' && page.data.length >= MAX_QUEUE_ENTRIES;
	}
	if (count === 0 && firstPage !== undefined && firstPage > 1) {
		hints.add(`Page ${firstPage} is beyond the last page`);
	}
	if (!isCut) return;
	hints.add(
		`CometChat sent ${formatCount(count)} ${plural} from the queue and does not say how to get more, so there may be more. Review some of these, then list the queue again.`,
	);
}
