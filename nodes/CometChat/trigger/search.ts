import type { IDataObject } from 'n8n-workflow';

import { MAX_PER_PAGE } from '../operation/lists';
import type { Page } from '../transport/response';
import { pageOf } from '../transport/response';
import type { Connection } from '../transport/send';
import { send } from '../transport/send';
import { Backlog } from './backlog';
import type { EventName, Occurrence } from './events';
import { occurrenceOf, timeIn } from './events';
import type { Found, Mark } from './mark';
import { advance, isCredible, sinceOf, windowStart } from './mark';
import type { Settings } from './parameters';
import type { FetchPage } from './steady';
import { eachSteadyPage } from './steady';

/** Groups that "Fetch Test Event" shows at most. */
const TEST_EVENTS = 10;

const NEWEST_FIRST = { sortBy: 'createdAt', sortOrder: 'desc' };

const OLDEST_FIRST = { sortBy: 'createdAt', sortOrder: 'asc' };

async function fetchGroups(
	connection: Connection,
	onBehalfOf: string | undefined,
	query: IDataObject,
): Promise<Page> {
	return await send(
		connection,
		{
			method: 'GET',
			path: '/groups',
			query,
			headers: onBehalfOf === undefined ? {} : { onBehalfOf },
		},
		pageOf('groups'),
	);
}

/**
 * How the groups that may hold something new are asked for, one page after the other, in an order
 * that new groups and changes do not upset: none slips from a page not yet read to one that was.
 */
function queryOf({ event, filters }: Settings, since: number | undefined): IDataObject {
	// Joining a group need not change the group, so `updatedAt` would hide it
	if (event === 'groupJoined') return { ...filters, hasJoined: true, ...OLDEST_FIRST };
	const order = event === 'groupCreated' ? NEWEST_FIRST : OLDEST_FIRST;
	return since === undefined
		? { ...filters, ...order }
		: { ...filters, updatedAt: since, affix: 'append', ...order };
}

/**
 * Whether no later page can hold something new: with the newest first, an old one ends the search.
 * A page in another order shows a service that sorts otherwise: then everything is gone through.
 */
function isPast(event: EventName, start: number, page: Occurrence[]): boolean {
	if (event !== 'groupCreated') return false;
	const isSorted = page.every(({ at }, index) => index === 0 || at <= page[index - 1].at);
	return isSorted && page.some(({ at }) => at < start);
}

/** Goes through everything that may have happened since the mark. */
export async function search(
	connection: Connection,
	settings: Settings,
	mark: Mark,
	isWanted: (occurrence: Occurrence) => boolean,
): Promise<Found> {
	const { event, most, onBehalfOf } = settings;
	const since = sinceOf(mark);
	const start = windowStart(mark);
	const query = queryOf(settings, since);
	const backlog = new Backlog(most);
	const untimed = new Set<string>();
	let time = mark.time;
	const fetchPage: FetchPage = async (page, perPage) =>
		await fetchGroups(connection, onBehalfOf, { ...query, page, perPage });
	await eachSteadyPage(fetchPage, (groups, age) => {
		if (age === 0) time = mark.time;
		const page = groups.flatMap((group) => occurrenceOf(event, group, since) ?? []);
		for (const occurrence of page) {
			// Something else may have happened on a page that was read before, but not before that was
			if (isCredible(occurrence.at)) time = Math.max(time, occurrence.at - age);
			if (!occurrence.isTimed) untimed.add(occurrence.guid);
			if (isWanted(occurrence)) backlog.add(occurrence);
		}
		return !isPast(event, start, page);
	});
	const occurrences = backlog.oldest();
	const latest = occurrences.at(-1)?.at;
	if (backlog.isCut && latest !== undefined) time = Math.min(time, latest);
	return { occurrences, time, untimed };
}

/** When the newest of all groups was created, in Unix seconds; 0 when it is not known. */
async function newestCreation(connection: Connection): Promise<number> {
	const { data } = await fetchGroups(connection, undefined, {
		...NEWEST_FIRST,
		page: 1,
		perPage: 1,
	});
	const createdAt = timeIn(data.at(0) ?? {}, 'createdAt');
	return isCredible(createdAt) ? createdAt : 0;
}

/**
 * The mark at which the trigger starts: everything up to now counts as given. Also what does not fit
 * the filters yet: a group that comes to fit them later was not created or joined then.
 */
export async function firstMark(connection: Connection, settings: Settings): Promise<Mark> {
	const { event, filters } = settings;
	const start: Mark = {
		time: event === 'groupJoined' ? 0 : await newestCreation(connection),
		seen: [],
	};
	const everything: Settings = {
		...settings,
		filters: event === 'groupUpdated' ? filters : {},
		most: Infinity,
	};
	return advance(start, await search(connection, everything, start, () => true));
}

/** The newest groups that fit, newest first, for "Fetch Test Event". */
export async function newestMatching(
	connection: Connection,
	settings: Settings,
): Promise<Occurrence[]> {
	const query = { ...queryOf(settings, undefined), ...NEWEST_FIRST };
	const page = { page: 1, perPage: MAX_PER_PAGE };
	const { data } = await fetchGroups(connection, settings.onBehalfOf, { ...query, ...page });
	return data
		.flatMap((group) => occurrenceOf(settings.event, group) ?? [])
		.sort((a, b) => b.at - a.at)
		.slice(0, TEST_EVENTS);
}
