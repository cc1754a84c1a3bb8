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
import { reportEntity } from '../resources/moderation/entity';
import type { PollParameters } from './pollParameters';
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

/** Maximum number of test events to return. */
const MAX_TEST_EVENTS = 10;

/**
 * Time spans to search for test events, in seconds before now. The search tries the next span until there
 * are enough events. CometChat sorts only by creation time, so the first page doesn't always contain the
 * latest changes.
 */
const TEST_SPANS: Record<EventName, number[]> = {
	groupCreated: [0],
	groupUpdated: [3_600, 86_400, 30 * 86_400, Infinity],
	groupJoined: [Infinity],
	messageFlagged: [Infinity],
};

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

/** Reads all messages in the moderation queue. */
async function readQueue({ fetchPage, warn }: EntrySource): Promise<IDataObject[]> {
	const messages: IDataObject[] = [];
	let isCut = false;
	const queue = {
		entity: reportEntity,
		by: 'queue',
		perPage: MAX_QUEUE_ENTRIES,
		fetchPage,
	} as const;
	for await (const { page, fresh } of readPages(queue)) {
		messages.push(...fresh);
		isCut = page.data.length >= MAX_QUEUE_ENTRIES;
	}
	if (isCut) {
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

/**
 * Finds entries for 'Fetch Test Event'.
 *
 * @param now current time in Unix seconds
 * @returns the newest entries that may start the workflow, oldest first
 * @throws DescribedError if no such entries are found
 */
export async function findTestEvents(
	source: EntrySource,
	now: number,
	{ maxItems, canStart }: Pick<PollParameters, 'maxItems' | 'canStart'>,
): Promise<Entry[]> {
	const limit = Math.min(maxItems, MAX_TEST_EVENTS);
	let found: Entry[] = [];
	let selected: Entry[] = [];
	for (const span of TEST_SPANS[source.event]) {
		if (selected.length >= limit) break;
		({ entries: found } = await findEntries(source, Math.max(0, now - span)));
		selected = found.filter(canStart);
	}
	if (selected.length > 0) return selected.sort((a, b) => a.at - b.at).slice(-limit);
	if (found.length > 0) {
		throw new DescribedError(
			"The app itself caused every event found, which 'Events Caused by the App Itself' ignores",
			`Create ${source.event === 'groupUpdated' ? 'or change ' : ''}a group as a user, or choose Always Start.`,
		);
	}
	if (source.event === 'messageFlagged') {
		throw new DescribedError(
			'The queue of reported messages is empty',
			'Report a message in your app, or with Moderation → Report Message.',
		);
	}
	throw new DescribedError(
		"No group matches 'Trigger On' and 'Filters' yet",
		"Create a group in CometChat, or change 'Filters'.",
	);
}
