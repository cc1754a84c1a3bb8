import { MAX_PER_PAGE } from '../operation/lists';
import type { Deadline } from './deadline';
import type { EventName, Group, Occurrence } from './events';
import { occurrenceOf } from './events';
import { isLastPage } from './groupList';
import type { Settings } from './parameters';
import type { FetchGroups } from './search';
import { NEWEST_FIRST, filtersOf, listOf } from './search';

/** Groups that "Fetch Test Event" shows at most. */
const MOST = 10;

/**
 * How far back it looks for changes, in seconds: from a minute to two years. The service cannot sort
 * by the time of the last change, so the first of these spans that holds enough is read.
 */
const SPANS = [60, 600, 6_000, 60_000, 600_000, 6_000_000, 60_000_000];

/** Keeps the newest of what it is given. */
class Newest {
	occurrences: Occurrence[] = [];

	constructor(private readonly event: EventName) {}

	add(groups: Group[], since?: number): void {
		const all = new Map(this.occurrences.map((occurrence) => [occurrence.guid, occurrence]));
		for (const group of groups) {
			const occurrence = occurrenceOf(this.event, group, since);
			// What an earlier, shorter span says of a group without a time is more exact
			if (occurrence && !all.has(occurrence.guid)) all.set(occurrence.guid, occurrence);
		}
		this.occurrences = [...all.values()].sort((a, b) => b.at - a.at).slice(0, MOST);
	}
}

/** The newest groups that match, newest first, for "Fetch Test Event". */
export async function newestMatching(
	fetchGroups: FetchGroups,
	settings: Settings,
	deadline: Deadline,
): Promise<Occurrence[]> {
	const { event, onBehalfOf } = settings;
	const newest = new Newest(event);
	const addAll = async (since?: number) => {
		const list = listOf(fetchGroups, settings, since);
		for (let isLast = false; !isLast && !deadline.isNear;) {
			const part = await list.next();
			newest.add(part.groups, since);
			isLast = part.isLast;
		}
	};
	const cut = { number: 1, perPage: MAX_PER_PAGE, start: 0 };
	const query = { ...filtersOf(settings, undefined), ...NEWEST_FIRST };
	const page = await fetchGroups({ ...query, page: 1, perPage: cut.perPage }, onBehalfOf);
	if (!isLastPage(page, cut)) {
		if (event === 'groupJoined') await addAll();
		const now = Math.floor(Date.now() / 1000);
		for (const span of event === 'groupUpdated' ? SPANS : []) {
			if (newest.occurrences.length < MOST) await addAll(now - span);
		}
	}
	newest.add(page.data);
	return newest.occurrences;
}
