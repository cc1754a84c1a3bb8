import type { IDataObject } from 'n8n-workflow';

import type { Page } from '../transport/response';
import type { Cursor, Pass } from './cursor';
import { freshness, isCredible, remembered, sinceOf, windowStart } from './cursor';
import type { Deadline } from './deadline';
import type { EventName, Group, Occurrence } from './events';
import { occurrenceOf, timeIn } from './events';
import type { Part, Place } from './groupList';
import { GroupList } from './groupList';
import type { Settings } from './parameters';

/** Groups that are read again at most after a poll that stopped before the end of a sorted list. */
const READ_AGAIN = 100;

export const NEWEST_FIRST = { sortBy: 'createdAt', sortOrder: 'desc' };

/** An order that new groups and changes do not upset. */
const OLDEST_FIRST = { sortBy: 'createdAt', sortOrder: 'asc' };

/** Fetches a page of groups. */
export type FetchGroups = (query: IDataObject, onBehalfOf?: string) => Promise<Page>;

/** Which groups something may have happened to. */
export function filtersOf({ event, filters }: Settings, since: number | undefined): IDataObject {
	// Joining a group need not change the group, so `updatedAt` would hide it
	if (event === 'groupJoined') return { ...filters, hasJoined: true };
	// A group that was never changed need not have an `updatedAt`, which would hide a new one
	if (event === 'groupCreated' || since === undefined) return filters;
	return { ...filters, updatedAt: since, affix: 'append' };
}

/** The groups that something may have happened to, from a place in their list on. */
export function listOf(
	fetchGroups: FetchGroups,
	settings: Settings,
	since: number | undefined,
	place?: Place,
): GroupList {
	const query = { ...filtersOf(settings, since), ...OLDEST_FIRST };
	return new GroupList(
		async (page, perPage) => await fetchGroups({ ...query, page, perPage }, settings.onBehalfOf),
		place,
	);
}

/** Whether groups are in the order of their creation. */
function isSorted(groups: Group[]): boolean {
	const times = groups.map((group) => timeIn(group, 'createdAt'));
	return times.every((time, index) => index === 0 || time >= times[index - 1]);
}

/** Reads on in the list, from where the cursor is, and finds what has not been returned yet. */
export class Search {
	/** Whether something was read, so that the next poll has less to do */
	hasProgress = false;

	private readonly pass: Pass;

	private readonly since: number | undefined;

	private readonly windowStart: number;

	private readonly isFresh: (occurrence: Occurrence) => boolean;

	private readonly fresh = new Map<string, Occurrence>();

	/** What the service listed without saying when it changed */
	private readonly untimed = new Map<string, Occurrence>();

	private list: GroupList;

	/** Whether the event's own time is that by which the list is sorted: then no pass starts over */
	private isSorted: boolean;

	private isDone = false;

	/** Where the list was read up to; undefined for its beginning */
	private end: Place | undefined;

	constructor(
		private readonly fetchGroups: FetchGroups,
		private readonly settings: Settings,
		private readonly cursor: Cursor,
		private readonly most: number,
	) {
		this.pass = { startedAt: Date.now(), time: cursor.time, ...cursor.pass };
		this.since = sinceOf(cursor);
		this.windowStart = windowStart(cursor);
		this.isFresh = freshness(cursor);
		this.isSorted = settings.event === 'groupCreated' && !this.pass.isUnsorted;
		this.end = cursor.place;
		this.list = this.listFrom(cursor.place);
	}

	/** Reads until the list ends, enough was found, or the time is almost up. */
	async run(deadline: Deadline): Promise<void> {
		while (!this.isDone) {
			const part = await this.list.next();
			if (this.isSorted && !isSorted(part.groups)) this.readEverything();
			else if (!this.take(part)) return;
			if (deadline.isNear) return;
			if (this.isSorted && this.isBeforeWindow(part)) await this.list.skipTo(this.windowStart);
			this.end = this.list.end;
		}
	}

	/** What has not been returned yet. */
	get found(): Iterable<Occurrence> {
		return this.pass.isFirst ? [] : this.fresh.values();
	}

	/** The cursor after what was found was returned. */
	get next(): Cursor {
		const { cursor, pass, isDone } = this;
		const { time } = pass;
		const seen = remembered(cursor, [...this.untimed.values(), ...this.fresh.values()]);
		// A first pass may read a list without filters: a place in it is none in the list that follows
		if (this.isSorted && !pass.isFirst) return { time, seen, place: this.nextPlace() };
		return isDone ? { time, seen } : { time: cursor.time, seen, place: this.end, pass };
	}

	private listFrom(place: Place | undefined): GroupList {
		const { settings, since, pass } = this;
		// At the start everything counts as returned, also what does not match the filters yet: a group
		// that comes to match them later was not created or joined then
		const isEverything = pass.isFirst && settings.event !== 'groupUpdated';
		const filters = isEverything ? {} : settings.filters;
		return listOf(this.fetchGroups, { ...settings, filters }, since, place);
	}

	/** @returns whether to go on: not when the list ends, or the part holds more than is wanted */
	private take({ groups, start, isLast }: Part): boolean {
		const age = this.ageOfPass();
		this.hasProgress = true;
		for (const [index, group] of groups.entries()) {
			const occurrence = occurrenceOf(this.settings.event, group, this.since);
			if (occurrence === undefined) continue;
			const { guid, at, isTimed } = occurrence;
			if (this.isFresh(occurrence)) {
				if (this.fresh.size >= this.most && !this.fresh.has(guid)) {
					this.end = this.list.placeAt(start + index) ?? this.cursor.place;
					return false;
				}
				this.fresh.set(guid, occurrence);
			}
			if (!isTimed) this.untimed.set(guid, occurrence);
			// It may have happened after the pass began, but not longer after than the pass takes
			if (isCredible(at)) this.pass.time = Math.max(this.pass.time, at - age);
		}
		this.end = this.list.end;
		this.isDone = isLast;
		return !isLast;
	}

	/** Seconds, rounded up; 0 for what the first request of the pass brings. */
	private ageOfPass(): number {
		const isStart = !this.hasProgress && this.cursor.pass === undefined;
		return isStart ? 0 : Math.max(1, Math.ceil((Date.now() - this.pass.startedAt + 1) / 1000));
	}

	/** For a list that is not sorted as asked for: it is read from its beginning to its end. */
	private readEverything(): void {
		this.isSorted = false;
		this.pass.isUnsorted = true;
		this.end = undefined;
		this.list = this.listFrom(this.end);
	}

	private isBeforeWindow({ groups }: Part): boolean {
		const last = groups.at(-1);
		return last !== undefined && timeIn(last, 'createdAt') < this.windowStart;
	}

	/** In a sorted list: where it is to be read from the next time, for what becomes visible late. */
	private nextPlace(): Place | undefined {
		const windowAt = this.list.positionOf(windowStart(this.pass));
		const end = this.end?.position ?? 0;
		const position = this.isDone ? windowAt : Math.max(windowAt, end - READ_AGAIN);
		return this.list.placeAt(position) ?? this.cursor.place;
	}
}

/** When the newest of all groups was created, in Unix seconds; 0 when it is not known. */
async function newestCreation(fetchGroups: FetchGroups): Promise<number> {
	const { data } = await fetchGroups({ ...NEWEST_FIRST, page: 1, perPage: 1 });
	const createdAt = timeIn(data.at(0) ?? {}, 'createdAt');
	return isCredible(createdAt) ? createdAt : 0;
}

/** The cursor of a trigger that has not read anything yet: what is there counts as returned. */
export async function firstCursor(fetchGroups: FetchGroups, event: EventName): Promise<Cursor> {
	const time = event === 'groupJoined' ? 0 : await newestCreation(fetchGroups);
	return { time, seen: [], pass: { startedAt: Date.now(), time, isFirst: true } };
}
