import type { IDataObject, Logger } from 'n8n-workflow';

import type { Redact } from '../helpers/redact';
import { MAX_PER_PAGE } from '../helpers/limits';
import type { Client } from '../transport/client';
import { StoppedError } from '../transport/failure';
import { createPageBodyReader, type Page } from '../transport/response';
import type { RestResponse } from '../transport/restTypes';
import { streamAllPages } from '../calls/pages';
import { MAX_PER_MODERATION_PAGE, getIdAsString, type PagedListSettings } from '../calls/paging';
import { groupEntity } from '../resources/group/entity';
import type { EntityDefinition } from '../types';
import {
	readServerTime,
	readTimeOrZero,
	copyMessagePerReport,
	toOccurrence,
	type Occurrence,
} from './occurrences';
import type { PolledEventDefinition } from './polledEvents';
import type { PollParameters } from './pollParameters';

/** A trigger's parameters, plus the functions that a poll needs to send requests and to write to n8n's log. */
export interface PollParametersWithClientFactory extends PollParameters {
	/** @param queuePosition requests with a smaller number are sent first. Default: 0. */
	createClient: (queuePosition?: number) => Client;
	logger: Logger;
	redact: Redact;
}

export interface SingleListSearchResult {
	/** Occurrences in CometChat's order. Some may be older than the start of the search. */
	occurrences: Occurrence[];
	/**
	 * True if occurrences may be missing because the list may have changed between two pages. For example, if a
	 * group disappears from the list, the first group of the next page moves to a page that was already read.
	 */
	mayLackOccurrences: boolean;
	/** CometChat's time at the first response, in Unix seconds. Undefined without a `Date` header. */
	serverTime?: number;
	/** Number of the page at which the next poll continues. Set only if the time ran out. */
	nextPage?: number;
}

/**
 * Finds the events in a single list since `start` (Unix seconds).
 *
 * @param firstPage number of the first page to read, greater than 1 if the last poll ran out of time
 * @throws StoppedError if the time ran out before the first response
 */
export type SingleListSearchFunction = (
	input: PollParametersWithClientFactory,
	start: number,
	firstPage?: number,
) => Promise<SingleListSearchResult>;

/** Creates a function that reads a page from a response, and calls `onTime` with CometChat's time. */
function createTimedPageReader(plural: string, onTime: (serverTime: number) => void) {
	const readPage = createPageBodyReader(plural);
	return (response: RestResponse): Page => {
		const serverTime = readServerTime(response);
		if (serverTime !== undefined) onTime(serverTime);
		return readPage(response);
	};
}

/** Reads the first messages in the moderation queue. Logs a warning if the queue may contain more. */
export async function searchFirstPageOfModerationQueue(
	{ event, request, createClient, logger }: PollParametersWithClientFactory,
	start: number,
): Promise<SingleListSearchResult> {
	const result: SingleListSearchResult = { occurrences: [], mayLackOccurrences: false };
	const read = createTimedPageReader('messages', (time) => (result.serverTime = time));
	const query = { limit: MAX_PER_MODERATION_PAGE };
	const { data: messages } = await createClient().sendAndRead({ ...request, query }, read);
	if (messages.length >= MAX_PER_MODERATION_PAGE) {
		logger.warn(
			`The queue of reported messages contains ${messages.length} or more messages, and CometChat does not say how to list the rest. Review some messages, because reports of the rest may not start the workflow.`,
		);
	}
	result.occurrences = messages
		.flatMap(copyMessagePerReport)
		.map(([id, report]) => toOccurrence(event, id, report, start));
	return result;
}

/** Settings of a list that polls read page by page. */
interface PolledPagedList {
	/** Entities in the list. Error messages name them by `plural`. */
	entity: EntityDefinition;
	/** Query that sorts the list, newest first. Empty for a list in any order, which needs `partToRead: 'all'`. */
	sorting: IDataObject;
	/** Sentence for errors that advises how to make the list shorter. Must not advise deleting data. */
	advice: string;
}

/**
 * Creates a search that reads a list page by page. If the newest entities come first, an entity created
 * during the search only moves others to later pages, so none are missed.
 */
const createPagedListSearch =
	(list: PolledPagedList): SingleListSearchFunction =>
	async (input, start, firstPage = 1) => {
		const { event } = input;
		const result: SingleListSearchResult = { occurrences: [], mayLackOccurrences: false };
		let pages = 0;
		const readPages = async () => {
			const settings = createListSettings(list, input, start, firstPage, result);
			for await (const { page, fresh } of streamAllPages(settings)) {
				pages++;
				for (const entity of fresh) {
					const id = getIdAsString(entity, list.entity.id);
					if (id !== undefined) result.occurrences.push(toOccurrence(event, id, entity, start));
				}
				if (isCreatedBefore(event, page, start)) break;
			}
		};
		await readPages().catch((error: unknown) => {
			if (!(error instanceof StoppedError) || pages === 0) throw error;
			result.nextPage = firstPage + pages;
		});
		return { ...result, mayLackOccurrences: firstPage + pages > 2 };
	};

/** Finds events in the list of groups. */
export const searchGroupListForOccurrences = createPagedListSearch({
	entity: groupEntity,
	sorting: { sortBy: 'createdAt', sortOrder: 'desc' },
	advice: "Add 'Filters' to make the list shorter.",
});

/** True if the search is only for entities created since `start`, and no later page can contain such entities. */
const isCreatedBefore = (
	{ search }: PolledEventDefinition,
	{ data }: Page,
	start: number,
): boolean =>
	search?.partToRead === 'created' && readTimeOrZero(data.at(-1) ?? {}, 'createdAt') < start;

function createListSettings(
	{ entity, sorting, advice }: PolledPagedList,
	{ event: { search }, request, createClient }: PollParametersWithClientFactory,
	start: number,
	firstPage: number,
	result: SingleListSearchResult,
): PagedListSettings {
	const query: IDataObject = { ...request.query, ...search?.buildQuery(start), ...sorting };
	const client = createClient();
	const read = createTimedPageReader(entity.plural, (time) => (result.serverTime ??= time));
	return {
		entity,
		pagedBy: 'page',
		perPage: MAX_PER_PAGE,
		firstPageNumber: firstPage,
		advice,
		// Requests one page at a time, because a page's last entity may show that later pages have no new ones
		maxAhead: search?.partToRead === 'created' ? 1 : undefined,
		fetchPage: async (paging) =>
			await client.sendAndRead({ ...request, query: { ...query, ...paging } }, read),
	};
}
