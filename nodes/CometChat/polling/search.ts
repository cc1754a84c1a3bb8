import type { IDataObject } from 'n8n-workflow';

import { DescribedError } from '../errors/inputError';
import type { Page } from '../transport/response';
import { queuePages } from '../results/byCursor';
import { MAX_OF_QUEUE, idOf } from '../results/list';
import { dated, queryOf, reportsOf, timeIn, type Dated, type EventName } from './dated';
import { readList } from './groupList';

/** Where something is looked for, and what. */
export interface Search {
	event: EventName;
	/** As they are sent */
	filters: IDataObject;
	fetchPage: (query: IDataObject) => Promise<Page>;
	/** The service's clock at its last response, in Unix seconds; ours may be wrong */
	clock: () => number | undefined;
	/** Tells in n8n's log what is no failure */
	warn: (message: string) => void;
}

/** What "Fetch Test Event" shows at most. */
const MAX_TEST_EVENTS = 10;

/**
 * How far back it looks, in seconds: further each time, until it has enough. The service sorts by the
 * creation alone, so the first page has the newest groups, but not the newest changes and joins.
 */
const TEST_SPANS: Record<EventName, number[]> = {
	groupCreated: [0],
	groupUpdated: [3_600, 86_400, 30 * 86_400, Infinity],
	groupJoined: [Infinity],
	messageFlagged: [Infinity],
};

/** What a search met. */
export interface Met {
	/** In the service's order; there may be older groups too */
	groups: Dated[];
	isOnePage: boolean;
}

/** What happened from a second on. */
export async function metSince(search: Search, start: number): Promise<Met> {
	return await (search.event === 'messageFlagged' ? reportsIn : groupsSince)(search, start);
}

/** Every report in the queue, as far as the service gives it. */
async function reportsIn({ event, fetchPage, warn }: Search, start: number): Promise<Met> {
	const messages = new Map<string | undefined, IDataObject>();
	const freshOf = (items: IDataObject[]) => {
		const fresh = items.filter((message) => !messages.has(idOf(message, 'id')));
		for (const message of items) messages.set(idOf(message, 'id'), message);
		return fresh;
	};
	for await (const { isCut } of queuePages(fetchPage, MAX_OF_QUEUE, freshOf)) {
		if (isCut) {
			warn(
				`The queue of flagged messages has ${messages.size} or more, and CometChat does not say how to get more. Review some: reports of the others may start no workflow.`,
			);
		}
	}
	const reports = [...messages.values()].flatMap(reportsOf);
	return {
		groups: reports.map(([id, report]) => dated(event, id, report, start)),
		isOnePage: true,
	};
}

async function groupsSince({ event, filters, fetchPage }: Search, start: number): Promise<Met> {
	const query = { ...filters, ...queryOf(event, start), sortBy: 'createdAt', sortOrder: 'desc' };
	const { groups, isOnePage } = await readList(
		async (page, perPage) => await fetchPage({ ...query, page, perPage }),
		(last) => event === 'groupCreated' && timeIn(last, 'createdAt') < start,
	);
	return {
		groups: [...groups].map(([guid, group]) => dated(event, guid, group, start)),
		isOnePage,
	};
}

/**
 * What "Fetch Test Event" shows: the newest groups that match, newest first.
 *
 * @param now Unix seconds
 * @throws DescribedError when there is none
 */
export async function newestGroups(
	search: Search,
	now: number,
	isWanted: (group: Dated) => boolean,
): Promise<Dated[]> {
	let found: Dated[] = [];
	for (const span of TEST_SPANS[search.event]) {
		if (found.length >= MAX_TEST_EVENTS) break;
		const { groups } = await metSince(search, Math.max(0, now - span));
		found = groups.filter(isWanted);
	}
	if (found.length > 0) return found.sort((a, b) => b.at - a.at).slice(0, MAX_TEST_EVENTS);
	if (search.event === 'messageFlagged') {
		throw new DescribedError(
			'No message is in the queue of flagged messages',
			'Report one in your app, or with Moderation → Flag Message.',
		);
	}
	throw new DescribedError(
		"No group matches 'Trigger On' and 'Filters' yet",
		"Create one in CometChat, or change 'Filters'.",
	);
}
