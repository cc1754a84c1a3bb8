import type { IDataObject } from 'n8n-workflow';

import { MAX_PER_PAGE } from '../helpers/limits';
import { InputError } from '../errors/describedErrors';
import { formatNumber } from '../helpers/formatText';
import { asObjectOrEmpty } from '../helpers/json';
import { expandPath } from '../transport/path';
import { createEntityReader, createPageBodyReader } from '../transport/response';
import type { RestResponse } from '../transport/restTypes';
import type { ListResponseSettings, UnconvertedResult } from '../types';
import type { ItemRequestWithClient } from './call';
import { ListCounter } from './listHints';
import { streamAllPages, limitTotalItems } from './pages';
import { getIdAsString, type PagedListSettings } from './paging';

/** Part of a list to return. The first page and the page size are undefined unless the user chose them. */
type Range = Partial<Pick<PagedListSettings, 'firstPageNumber' | 'perPage'>> &
	Required<Pick<PagedListSettings, 'limit'>>;

/** @throws InputError if 'Per Page' is empty but 'Page' requires it */
function readRange({ returnAll, limit, options }: ItemRequestWithClient['values']): Range {
	const { page, perPage } = asObjectOrEmpty(options);
	const size = perPage === undefined ? undefined : Number(perPage);
	if (returnAll === true) return { limit: Infinity, perPage: size };
	const range = { limit: Number(limit), perPage: size };
	if (page === undefined) return range;
	if (size === undefined && range.limit > MAX_PER_PAGE && Number(page) > 1) {
		throw new InputError(
			'Per Page',
			`is empty, but 'Page' requires it if 'Limit' is above ${formatNumber(MAX_PER_PAGE)}`,
			"Add 'Per Page', or lower 'Limit'.",
		);
	}
	return { ...range, firstPageNumber: Number(page) };
}

/** Yields entities up to the limit, or whole pages if 'Output' is 'Pages'. */
async function* listEntities(
	{ many: entity, pagedBy }: ListResponseSettings,
	{ request, client, values, hints }: ItemRequestWithClient,
): AsyncGenerator<UnconvertedResult[]> {
	const { limit, firstPageNumber, perPage } = readRange(values);
	const { isExcluded, plural } = entity;
	const showsPages = values.output === 'pages';
	const read = createPageBodyReader(plural);
	const pages = streamAllPages({
		entity,
		pagedBy,
		order: asObjectOrEmpty(values.options).order,
		limit,
		firstPageNumber,
		advice: `${limit < Infinity ? "Lower 'Limit'" : "Turn off 'Return All' and set 'Limit'"}${'filters' in values ? ', or add a filter' : ''}.`,
		perPage: perPage ?? Math.min(limit, MAX_PER_PAGE),
		perPageAfterExclusions: perPage ?? MAX_PER_PAGE,
		isExcluded: (item) => !showsPages && isExcluded?.(item, values) === true,
		fetchPage: async (query) =>
			await client.sendAndRead({ ...request, query: { ...request.query, ...query } }, read),
	});
	const counter = new ListCounter({ plural, pagedBy, limit, firstPageNumber });
	try {
		for await (const part of limitTotalItems(pages, limit)) {
			counter.addPage(showsPages ? { ...part, overLimit: 0 } : part);
			if (!showsPages) yield part.items.map((received) => ({ received }));
			// Return a page without new items only if no earlier page had items
			else if (part.items.length > 0 || counter.count === 0) yield [{ received: part.page }];
		}
		counter.recordEndWithoutError();
	} finally {
		for (const hint of counter.hints) hints.add(hint);
	}
}

/**
 * Yields a list's entities or pages. If 'Include First Message' is on, the message that starts the thread comes first,
 * unless it is excluded. With 'Pages', it always comes first.
 */
export async function* streamListResults(
	response: ListResponseSettings,
	call: ItemRequestWithClient,
): AsyncGenerator<UnconvertedResult[]> {
	const { many: entity, firstMessagePath: path } = response;
	const { client, values, request } = call;
	const { returnAll, limit, options, output } = values;
	if (path === undefined || asObjectOrEmpty(options).includeFirst !== true) {
		yield* listEntities(response, call);
		return;
	}
	const readMessage = createEntityReader(entity.name);
	const read = (answer: RestResponse) => ({ answer, message: readMessage(answer) });
	const { headers } = request;
	const { answer, message } = await client.sendAndRead(
		{ method: 'GET', path: expandPath(path, values), headers },
		read,
	);
	if (output === 'pages') {
		yield [{ received: asObjectOrEmpty(answer.body) }];
		yield* listEntities(response, call);
		return;
	}
	const isShown = entity.isExcluded?.(message, values) !== true;
	if (isShown) yield [{ received: message }];
	const rest = Number(limit) - (isShown ? 1 : 0);
	if (returnAll !== true && rest === 0) return;
	const isOther = ({ received }: { received: IDataObject }) =>
		getIdAsString(received, entity.id) !== getIdAsString(message, entity.id);
	for await (const results of listEntities(response, {
		...call,
		values: { ...values, limit: rest },
	})) {
		yield results.filter(isOther);
	}
}
