import type { IDataObject, Logger } from 'n8n-workflow';

import type { Client } from '../transport/client';
import { createPageReader } from '../transport/response';
import { fetchPages } from '../calls/pages';
import { MAX_PER_PAGE, MAX_PER_MODERATION_PAGE, getId, type PagedList } from '../calls/paging';
import { groupEntity } from '../resources/group/entity';
import { readTime, splitByReport, toOccurrence, type Occurrence } from './occurrences';
import type { GroupSearch } from './polledEvents';
import type { PollParameters } from './pollParameters';

/** A trigger's parameters, with the client that reads the event's lists or queue, and n8n's log. */
export interface PollInput extends PollParameters {
	client: Client;
	logger: Logger;
}

export interface SearchResult {
	/** Occurrences in CometChat's order. Some may be older than the start of the search. */
	occurrences: Occurrence[];
	/**
	 * First second of the time range that was searched completely, in Unix seconds. 0 if everything was
	 * searched.
	 */
	searchedFrom: number;
	/**
	 * True if occurrences may be missing because the list may have changed between two pages. For example, a group
	 * that leaves a list moves the first group of the next page to a page that was already read.
	 */
	mayLackOccurrences: boolean;
}

/** Finds the reports, or the groups with an event, since `start`, in Unix seconds. */
export async function searchGroupsOrReports(
	source: PollInput,
	start: number,
): Promise<SearchResult> {
	const { search } = source.event;
	if (search !== undefined) return await searchGroupList(source, search, start);
	const reports = (await readModerationQueue(source)).flatMap(splitByReport);
	const occurrences = reports.map(([id, report]) => toOccurrence(source.event, id, report, start));
	return { occurrences, searchedFrom: 0, mayLackOccurrences: false };
}

/** Reads the first messages in the moderation queue. Logs a warning if the queue may contain more. */
async function readModerationQueue({ request, client, logger }: PollInput): Promise<IDataObject[]> {
	const query = { limit: MAX_PER_MODERATION_PAGE };
	const { data: messages } = await client.send({ ...request, query }, createPageReader('messages'));
	if (messages.length >= MAX_PER_MODERATION_PAGE) {
		logger.warn(
			`The queue of reported messages contains ${messages.length} or more messages, and CometChat does not say how to list the rest. Review some messages, because reports of the rest may not start the workflow.`,
		);
	}
	return messages;
}

/** Reads a list of groups page by page, newest first. A new group can only move other groups to later pages. */
async function searchGroupList(
	{ event, request, client }: PollInput,
	{ buildQuery, partToRead }: GroupSearch,
	start: number,
): Promise<SearchResult> {
	const query = {
		...request.query,
		...buildQuery(start),
		sortBy: 'createdAt',
		sortOrder: 'desc',
	};
	const occurrences: Occurrence[] = [];
	const list: PagedList = {
		entity: groupEntity,
		pagedBy: 'page',
		perPage: MAX_PER_PAGE,
		advice: "Add 'Filters' to make the list shorter.",
		// Don't prefetch pages, because a page's last group may show that no more pages are needed
		maxAhead: 1,
		fetchPage: async (paging) =>
			await client.send({ ...request, query: { ...query, ...paging } }, createPageReader('groups')),
	};
	let pages = 0;
	let searchedFrom = partToRead === 'changed' ? start : 0;
	for await (const { page, fresh } of fetchPages(list)) {
		if (page.data.length > 0) pages++;
		for (const group of fresh) {
			const guid = getId(group, groupEntity.id);
			if (guid !== undefined) occurrences.push(toOccurrence(event, guid, group, start));
		}
		if (partToRead === 'created' && readTime(page.data.at(-1) ?? {}, 'createdAt') < start) {
			searchedFrom = start;
			break;
		}
	}
	return { occurrences, searchedFrom, mayLackOccurrences: pages > 1 };
}
