import type { IDataObject } from 'n8n-workflow';

import { DescribedError } from '../errors/describedError';
import type { Page } from '../transport/response';
import type { DatedGroup, EventName } from './events';
import { dated, queryOf, timeIn } from './events';
import { readList } from './list';

/** Where groups are looked for, and which. */
export interface Search {
	event: EventName;
	/** As they are sent */
	filters: IDataObject;
	fetchPage: (query: IDataObject) => Promise<Page>;
}

/** Groups that "Fetch Test Event" shows at most. */
const MAX_TEST_EVENTS = 10;

/**
 * How far back it looks, in seconds: further each time, until it has enough. The service sorts by the
 * creation alone, so the first page has the newest groups, but not the newest changes and joins.
 */
const TEST_SPANS: Record<EventName, number[]> = {
	groupCreated: [0],
	groupUpdated: [3_600, 86_400, 30 * 86_400, Infinity],
	groupJoined: [Infinity],
};

/** What happened from a second on, in the service's order; there may be older groups too. */
export async function groupsSince(
	{ event, filters, fetchPage }: Search,
	start: number,
): Promise<DatedGroup[]> {
	const query = { ...filters, ...queryOf(event, start), sortBy: 'createdAt', sortOrder: 'desc' };
	const groups = await readList(
		async (page, perPage) => await fetchPage({ ...query, page, perPage }),
		(last) => event === 'groupCreated' && timeIn(last, 'createdAt') < start,
	);
	return [...groups].map(([guid, group]) => dated(event, guid, group, start));
}

/**
 * What "Fetch Test Event" shows: the newest groups that match, newest first.
 *
 * @param now Unix seconds
 * @throws DescribedError when there is none
 */
export async function newestGroups(search: Search, now: number): Promise<DatedGroup[]> {
	let found: DatedGroup[] = [];
	for (const span of TEST_SPANS[search.event]) {
		if (found.length >= MAX_TEST_EVENTS) break;
		found = await groupsSince(search, Math.max(0, now - span));
	}
	if (found.length > 0) return found.sort((a, b) => b.at - a.at).slice(0, MAX_TEST_EVENTS);
	throw new DescribedError(
		"No group matches 'Trigger On' and 'Filters' yet",
		"Create one in CometChat, or change 'Filters'.",
	);
}
