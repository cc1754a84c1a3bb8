import { formatCount } from '../errors/formatText';
import { asObject } from '../transport/json';
import { pageReader } from '../transport/response';
import type { ListResponse, Result } from '../description/types';
import { toInteger } from '../values/convert';
import type { OperationCall } from './call';
import { MAX_PER_PAGE, MAX_QUEUE_ENTRIES, readPages, type PagedList } from './pages';
import { createShape } from './shape';

/** Lists entities up to the limit, or the pages themselves if 'Output' is 'Pages'. */
export async function* list(
	{ many: entity, by }: ListResponse,
	{ request, client, values, hints }: OperationCall,
): AsyncGenerator<Result[]> {
	const { returnAll, order, output } = values;
	// If 'Return All' is an expression, n8n shows 'Limit' too, so 'Return All' takes precedence
	const limit = returnAll === true ? Infinity : toInteger('Limit', values.limit, 1);
	const { page: firstPage = 1, perPage } = asObject(values.options);
	const read = pageReader(entity.plural);
	const pages: PagedList = {
		entity,
		by,
		order,
		limit,
		firstPage: Number(firstPage),
		perPage: Number(perPage ?? Math.min(limit, MAX_PER_PAGE)),
		fetchPage: async (query, part) =>
			await client.send({ ...request, query: { ...request.query, ...query } }, read, part),
	};
	const shape = createShape(values, entity);
	const { isExcluded = () => false } = entity;
	let count = 0;
	let isCut = false;
	for await (const { page, fresh } of readPages(pages)) {
		const wanted = output === 'pages' ? fresh : fresh.filter((item) => !isExcluded(item, values));
		// If most items are excluded, request larger pages
		if (wanted.length < fresh.length / 2 && perPage === undefined) pages.perPage = MAX_PER_PAGE;
		const results = wanted.slice(0, limit - count).map((item) => ({ entity: shape(item) }));
		// After the first page, a page without new items only marks the end of the list
		if (output !== 'pages') yield results;
		else if (fresh.length > 0 || count === 0) yield [{ entity: page }];
		count += wanted.length;
		if (count >= limit) return;
		isCut = by === 'queue' && page.data.length >= MAX_QUEUE_ENTRIES;
	}
	if (!isCut) return;
	hints.add(
		`CometChat sent ${formatCount(count)} ${entity.plural} from the queue and does not say how to get more, so there may be more. Review some of these, then list the queue again.`,
	);
}
