import type { IDataObject } from 'n8n-workflow';

import { DescribedError } from '../errors/inputError';
import type { Page } from '../transport/response';
import {
	MAX_PER_PAGE,
	MAX_QUEUE_ENTRIES,
	getId,
	readPages,
	readPaginationNumber,
	type PagedList,
} from '../calls/pages';
import { groupEntity } from '../resources/group/entity';
import {
	buildPollQuery,
	readTime,
	listReports,
	toEntry,
	type Entry,
	type EventName,
} from './entries';

/** Reads the CometChat list or queue that a trigger event is polled from. */
export interface EntrySource {
	event: EventName;
	/** The node's filters, as query parameters */
	filters: IDataObject;
	fetchPage: (query: IDataObject) => Promise<Page>;
	/** Time of CometChat's last response in Unix seconds; undefined if the response has no `Date` header */
	serviceTime: () => number | undefined;
	/** Writes a warning to n8n's log */
	warn: (message: string) => void;
}

/** Maximum number of times to read a list that changes during each read. */
const MAX_READS = 5;

/** Entries that a search found. */
export interface FoundEntries {
	/** Entries in CometChat's order. Some may be older than the start of the search. */
	entries: Entry[];
	/** True if the list fits on one page. In a longer list, a group can move between pages and be missed. */
	isOnePage: boolean;
}

/**
 * Finds the entries with an event since `start`, in Unix seconds.
 *
 * @throws DescribedError if the list of groups changes during every read
 */
export async function findEntries(source: EntrySource, start: number): Promise<FoundEntries> {
	const { event } = source;
	if (event === 'messageFlagged') {
		const reports = (await readQueue(source)).flatMap(listReports);
		const entries = reports.map(([id, report]) => toEntry(event, id, report, start));
		return { entries, isOnePage: true };
	}
	for (let reads = 0; reads < MAX_READS; reads++) {
		const found = await readGroups(source, start);
		if (found) return found;
	}
	throw new DescribedError(
		'The list of groups changed every time the poll read it',
		"Wait for the next poll: nothing is lost. If this happens again, add 'Filters' to make the list shorter.",
	);
}

/** Reads the messages in the moderation queue. */
async function readQueue({ fetchPage, warn }: EntrySource): Promise<IDataObject[]> {
	const { data: messages } = await fetchPage({ limit: MAX_QUEUE_ENTRIES });
	if (messages.length >= MAX_QUEUE_ENTRIES) {
		warn(
			`The queue of reported messages contains ${messages.length} or more messages, and CometChat does not say how to list the rest. Review some messages, because reports of the rest may not start the workflow.`,
		);
	}
	return messages;
}

/**
 * Reads a list of groups page by page. New groups only push other groups to later pages. If groups disappear
 * from the list during the read, other groups may have moved to a page that was already read, so the list must
 * be read again.
 *
 * @returns one entry per group; undefined if groups may be missing
 */
async function readGroups(
	{ event, filters, fetchPage }: EntrySource,
	start: number,
): Promise<FoundEntries | undefined> {
	const query = {
		...filters,
		...buildPollQuery(event, start),
		sortBy: 'createdAt',
		sortOrder: 'desc',
	};
	const entries: Entry[] = [];
	let pageCount = 0;
	let lastTotal = 0;
	const list: PagedList = {
		entity: groupEntity,
		by: 'page',
		perPage: MAX_PER_PAGE,
		advice: "Add 'Filters' to make the list shorter.",
		// A page's last group may show that no more pages are needed
		maxAhead: 1,
		fetchPage: async (paging) => await fetchPage({ ...query, ...paging }),
	};
	for await (const { page, fresh } of readPages(list)) {
		for (const group of fresh) {
			const guid = getId(group, groupEntity.id);
			if (guid !== undefined) entries.push(toEntry(event, guid, group, start));
		}
		const total = readPaginationNumber(page, 'total') ?? lastTotal;
		if (total < lastTotal) return undefined;
		lastTotal = total;
		pageCount++;
		if (event === 'groupCreated' && readTime(page.data.at(-1) ?? {}, 'createdAt') < start) break;
	}
	return { entries, isOnePage: pageCount === 1 };
}
