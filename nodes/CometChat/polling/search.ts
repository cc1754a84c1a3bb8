import type { IDataObject } from 'n8n-workflow';

import { DescribedError } from '../errors/inputError';
import type { Page } from '../transport/response';
import { fetchQueuePages } from '../results/listByCursor';
import { MAX_QUEUE_ENTRIES, getId } from '../results/list';
import { buildQuery, readTime, splitReports, toEntry, type Entry, type EventName } from './entries';
import { readGroups } from './groupList';

/** Access to the list or queue that contains the entries of an event. */
export interface EntrySource {
	event: EventName;
	/** The user's filters, as query parameters */
	filters: IDataObject;
	fetchPage: (query: IDataObject) => Promise<Page>;
	/** The time of CometChat's last response in Unix seconds; undefined if it had no `Date` */
	serviceTime: () => number | undefined;
	/** Writes a warning to n8n's log */
	warn: (message: string) => void;
}

/** Maximum number of test events. */
const MAX_TEST_EVENTS = 10;

/**
 * Seconds to look back for test events. Each step looks further, until there are enough events.
 * CometChat sorts by the time of creation only, so the first page need not have the latest changes.
 */
const TEST_SPANS: Record<EventName, number[]> = {
	groupCreated: [0],
	groupUpdated: [3_600, 86_400, 30 * 86_400, Infinity],
	groupJoined: [Infinity],
	messageFlagged: [Infinity],
};

/** Entries that a search found. */
export interface FoundEntries {
	/** In CometChat's order; some may be older than the search asked for */
	entries: Entry[];
	isOnePage: boolean;
}

/** Finds the entries with an event since a second. */
export async function findEntries(source: EntrySource, start: number): Promise<FoundEntries> {
	return await (source.event === 'messageFlagged' ? findReports : findGroups)(source, start);
}

/** Finds all reports in the moderation queue. */
async function findReports(
	{ event, fetchPage, warn }: EntrySource,
	start: number,
): Promise<FoundEntries> {
	const messages = new Map<string | undefined, IDataObject>();
	const addMessages = (items: IDataObject[]) => {
		const added = items.filter((message) => !messages.has(getId(message, 'id')));
		for (const message of items) messages.set(getId(message, 'id'), message);
		return added;
	};
	for await (const { isCut } of fetchQueuePages(fetchPage, MAX_QUEUE_ENTRIES, addMessages)) {
		if (isCut) {
			warn(
				`The queue of reported messages has ${messages.size} or more messages, and CometChat does not say how to list the rest. Review some messages: reports of the rest may not start the workflow.`,
			);
		}
	}
	const reports = [...messages.values()].flatMap(splitReports);
	return {
		entries: reports.map(([id, report]) => toEntry(event, id, report, start)),
		isOnePage: true,
	};
}

async function findGroups(
	{ event, filters, fetchPage }: EntrySource,
	start: number,
): Promise<FoundEntries> {
	const query = { ...filters, ...buildQuery(event, start), sortBy: 'createdAt', sortOrder: 'desc' };
	const { groups, isOnePage } = await readGroups(
		async (page, perPage) => await fetchPage({ ...query, page, perPage }),
		(last) => event === 'groupCreated' && readTime(last, 'createdAt') < start,
	);
	return {
		entries: [...groups].map(([guid, group]) => toEntry(event, guid, group, start)),
		isOnePage,
	};
}

/**
 * Finds entries for 'Fetch Test Event'.
 *
 * @param now Unix seconds
 * @param canStart whether an entry may start the workflow
 * @returns newest first
 * @throws DescribedError if there are none
 */
export async function findTestEvents(
	source: EntrySource,
	now: number,
	canStart: (entry: Entry) => boolean,
): Promise<Entry[]> {
	let found: Entry[] = [];
	for (const span of TEST_SPANS[source.event]) {
		if (found.length >= MAX_TEST_EVENTS) break;
		const { entries } = await findEntries(source, Math.max(0, now - span));
		found = entries.filter(canStart);
	}
	if (found.length > 0) return found.sort((a, b) => b.at - a.at).slice(0, MAX_TEST_EVENTS);
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
