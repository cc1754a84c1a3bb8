import type { IDataObject } from 'n8n-workflow';

import { groupPageOf } from '../transport/answer';
import { MAX_PER_PAGE, eachPage } from '../transport/pages';
import type { Channel } from '../transport/send';
import { send } from '../transport/send';
import type { GroupPage } from '../transport/types';
import type { EventName, Occurrence } from './events';
import { occurrenceOf } from './events';
import type { Mark } from './mark';
import { advance, oldestFirst, sinceOf, windowStart } from './mark';
import type { Settings } from './parameters';

/** Groups that "Fetch Test Event" shows at most. */
const TEST_EVENTS = 10;

const NEWEST_FIRST = { sortBy: 'createdAt', sortOrder: 'desc' };

const OLDEST_FIRST = { sortBy: 'createdAt', sortOrder: 'asc' };

async function fetchGroups(
	channel: Channel,
	onBehalfOf: string | undefined,
	query: IDataObject,
): Promise<GroupPage> {
	return await send(channel, { method: 'GET', path: '/groups', query, onBehalfOf }, groupPageOf);
}

/**
 * How the groups that may hold something new are asked for, one page after the other, in an order
 * that changes do not upset: no group slips from a page not yet fetched to one that was.
 */
function queryOf({ event, filters }: Settings, since: number | undefined): IDataObject {
	// Joining a group need not change the group, so `updatedAt` would hide it
	if (event === 'groupJoined') return { ...filters, hasJoined: true, ...OLDEST_FIRST };
	const order = event === 'groupCreated' ? NEWEST_FIRST : OLDEST_FIRST;
	return since === undefined
		? { ...filters, ...order }
		: { ...filters, updatedAt: since, affix: 'append', ...order };
}

/** Whether no later page can hold something new: with the newest first, old ones end the search. */
function isPast(event: EventName, start: number, page: Occurrence[]): boolean {
	return event === 'groupCreated' && page.some(({ at }) => at < start);
}

export interface Found {
	/** What is wanted, oldest first, at most as many as one poll hands over */
	occurrences: Occurrence[];
	/** Time up to which nothing was left out */
	time: number;
}

/** Goes through everything that may have happened since the mark. */
export async function search(
	channel: Channel,
	settings: Settings,
	mark: Mark,
	isWanted: (occurrence: Occurrence) => boolean,
): Promise<Found> {
	const { event, most, onBehalfOf } = settings;
	const since = sinceOf(mark);
	const start = windowStart(mark);
	const query = queryOf(settings, since);
	const plan = { firstPage: 1, perPage: MAX_PER_PAGE, limit: Infinity, maxAhead: 1 };
	const found = new Map<string, Occurrence>();
	let latest = mark.time;
	let isCut = false;
	const cut = () => {
		const sorted = [...found.values()].sort(oldestFirst);
		isCut ||= sorted.length > most;
		return sorted.slice(0, most);
	};
	const fetchPage = async (page: number) =>
		await fetchGroups(channel, onBehalfOf, { ...query, page, perPage: plan.perPage });
	await eachPage(plan, fetchPage, ({ data }) => {
		const page = data.flatMap((group) => occurrenceOf(event, group, since) ?? []);
		for (const occurrence of page) {
			latest = Math.max(latest, occurrence.at);
			if (isWanted(occurrence)) found.set(occurrence.guid, occurrence);
		}
		if (found.size > 2 * most) {
			const kept = cut();
			found.clear();
			for (const occurrence of kept) found.set(occurrence.guid, occurrence);
		}
		return !isPast(event, start, page);
	});
	const occurrences = cut();
	return { occurrences, time: isCut ? (occurrences.at(-1)?.at ?? mark.time) : latest };
}

/** When the newest of all groups was created, in Unix seconds; 0 when there is none. */
async function newestCreation(channel: Channel): Promise<number> {
	const { data } = await fetchGroups(channel, undefined, { ...NEWEST_FIRST, page: 1, perPage: 1 });
	const createdAt = data.at(0)?.createdAt;
	return typeof createdAt === 'number' ? createdAt : 0;
}

/** The mark at which the trigger starts: everything up to now counts as given. */
export async function firstMark(channel: Channel, settings: Settings): Promise<Mark> {
	const time = settings.event === 'groupJoined' ? 0 : await newestCreation(channel);
	const start: Mark = { time, seen: [] };
	const everything = { ...settings, most: Infinity };
	const found = await search(channel, everything, start, () => true);
	return advance(start, found.occurrences, found.time);
}

/** The newest groups that fit, newest first, for "Fetch Test Event". */
export async function newestMatching(channel: Channel, settings: Settings): Promise<Occurrence[]> {
	const query = { ...queryOf(settings, undefined), ...NEWEST_FIRST };
	const page = { page: 1, perPage: MAX_PER_PAGE };
	const { data } = await fetchGroups(channel, settings.onBehalfOf, { ...query, ...page });
	return data
		.flatMap((group) => occurrenceOf(settings.event, group) ?? [])
		.sort((a, b) => b.at - a.at)
		.slice(0, TEST_EVENTS);
}
