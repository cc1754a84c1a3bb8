import { ListError, MAX_PER_PAGE } from '../operation/lists';
import { numberAt } from '../operation/nextPage';
import type { Page } from '../transport/response';
import type { Group } from './events';
import { guidOf, timeIn } from './events';

/** Groups that a page has in common with the one before, as long as nothing vanishes from the list. */
const MAX_OVERLAP = 10;

/** Times that one poll goes back in a list whose groups vanish or change places. */
const MAX_STEPS_BACK = 30;

/**
 * A place between two groups of a list, that is found again when the list has changed. It is kept in
 * the workflow's static data, so it holds plain JSON.
 */
export interface Place {
	/** How many groups were before it */
	position: number;
	/** Groups on a page: as many as the service sends at most */
	perPage: number;
	/** GUIDs of the last groups before it */
	guids: string[];
	/** When the last group before it was created, in Unix seconds */
	createdAt: number;
}

const BEGINNING: Place = { position: 0, perPage: MAX_PER_PAGE, guids: [], createdAt: 0 };

/** @param number counted from 1 */
export type FetchPage = (number: number, perPage: number) => Promise<Page>;

/** Which page is asked for, and how many groups of the list come before it. */
export interface Cut {
	number: number;
	perPage: number;
	start: number;
}

/** Some groups that follow each other in the list. */
export interface Part {
	groups: Group[];
	/** How many groups of the list come before them */
	start: number;
	/** Whether the list ends with them */
	isLast: boolean;
}

function overlapOf(perPage: number): number {
	return Math.min(MAX_OVERLAP, Math.floor(perPage / 20));
}

/** Of all pages that begin at a position or a little before it, the one that reaches furthest. */
export function cutAt(position: number, mostPerPage: number): Cut {
	let best = { gain: 0, perPage: mostPerPage };
	for (let perPage = mostPerPage; 2 * perPage >= mostPerPage; perPage--) {
		const gain = perPage - (position % perPage);
		if (gain > best.gain) best = { gain, perPage };
	}
	const { perPage } = best;
	const before = Math.floor(position / perPage);
	return { number: before + 1, perPage, start: before * perPage };
}

/**
 * Whether no group follows a page. `total` and `total_pages` count only when they say "more", or
 * when nothing speaks against them: a service may leave them out, and may send shorter pages than
 * it was asked for. Otherwise the next page decides.
 */
export function isLastPage(page: Page, { number, perPage, start }: Cut): boolean {
	const { length } = page.data;
	if (length === 0) return true;
	const total = numberAt(page, 'total') ?? 0;
	const totalPages = numberAt(page, 'total_pages') ?? 0;
	if (total > start + length || totalPages > number) return false;
	if (total > 0) return true;
	const isAsAsked = length >= perPage || (numberAt(page, 'per_page') ?? 0) >= perPage;
	return totalPages === number && isAsAsked;
}

/**
 * Reads a list of groups in the order of their creation, page after page, and misses no group that
 * is in it all the time. When groups are deleted, or stop matching the filters, all that follow move
 * forward, and one that was on the next page may move to a page that was read already. So each page
 * has to begin with groups that were read, or that are older; else the list is read again from
 * further in front.
 */
export class GroupList {
	/** The groups that were read in a row, up to the place; `firstRead` groups come before them */
	private read: Array<{ guid: string | undefined; createdAt: number }> = [];

	private firstRead: number;

	private stepsBack = 0;

	private lastGuids: ReadonlySet<string | undefined>;

	private readonly repetition = new RepetitionCheck('groups');

	constructor(
		private readonly fetchPage: FetchPage,
		private place: Place = BEGINNING,
	) {
		this.firstRead = place.position;
		this.lastGuids = new Set(place.guids);
	}

	/** Where it goes on reading. */
	get end(): Place {
		return this.place;
	}

	/** @throws ListError when the list changes faster than it can be read, or does not end */
	async next(): Promise<Part> {
		const { position, perPage, guids } = this.place;
		for (let back = 0; ;) {
			const wanted = Math.max(0, position - guids.length - back);
			const cut = cutAt(wanted, perPage);
			const page = await this.fetchPage(cut.number, cut.perPage);
			if (cut.start === 0 || this.follows(page.data)) return this.taken(page, cut);
			back = Math.max(perPage, 2 * back);
			if (++this.stepsBack > MAX_STEPS_BACK) throw changesTooFast();
		}
	}

	/**
	 * Goes on to shortly before the first group that was created at a time or later, without reading
	 * what comes before it.
	 */
	async skipTo(time: number): Promise<void> {
		const { perPage } = this.place;
		let distance = perPage;
		while (await this.skip(distance, time)) distance *= 2;
		for (distance /= 2; distance >= perPage; distance /= 2) await this.skip(distance, time);
	}

	/** @returns undefined when the place before a position was not read */
	placeAt(position: number): Place | undefined {
		if (position <= 0) return { ...BEGINNING, perPage: this.place.perPage };
		const { perPage } = this.place;
		const length = position - this.firstRead;
		if (length <= 0 || length > this.read.length) return undefined;
		const before = this.read.slice(Math.max(0, length - overlapOf(perPage)), length);
		return {
			position,
			perPage,
			guids: before.flatMap(({ guid }) => guid ?? []),
			createdAt: this.read[length - 1].createdAt,
		};
	}

	/** The first position that was read at which a group was created at a time or later. */
	positionOf(time: number): number {
		const index = this.read.findIndex(({ createdAt }) => createdAt >= time);
		return this.firstRead + (index < 0 ? this.read.length : index);
	}

	/** Moves the place forward when the group there was created before a time. */
	private async skip(distance: number, time: number): Promise<boolean> {
		const position = this.place.position + distance;
		const { data } = await this.fetchPage(position, 1);
		const [group] = data;
		if (group === undefined || timeIn(group, 'createdAt') >= time) return false;
		const guid = guidOf(group);
		this.place = {
			...this.place,
			position,
			guids: guid === undefined ? [] : [guid],
			createdAt: timeIn(group, 'createdAt'),
		};
		return true;
	}

	/** Whether nothing unread comes before these groups. */
	private follows(groups: Group[]): boolean {
		const { guids, createdAt } = this.place;
		if (groups.length > 0 && timeIn(groups[0], 'createdAt') < createdAt) return true;
		return guids.length === 0 || groups.some((group) => guids.includes(guidOf(group) ?? ''));
	}

	private taken(page: Page, cut: Cut): Part {
		const { data } = page;
		const { start } = cut;
		const guids = data.map((group) => guidOf(group));
		const isNew = guids.some((guid) => guid === undefined || !this.lastGuids.has(guid));
		// With nothing on it but what was just read, a page that is not full is the last one
		const isLast = isLastPage(page, cut) || (!isNew && data.length < cut.perPage);
		this.repetition.add(isNew || isLast, cut.number);
		this.lastGuids = new Set(guids);
		this.append(data, start);
		this.place = { ...this.place, perPage: this.perPageAfter(data.length, cut, isLast) };
		this.place = this.placeAt(start + data.length) ?? this.place;
		return { groups: data, start, isLast };
	}

	/** A first page that is shorter than asked for, with more to come, shows how many the service sends at most. */
	private perPageAfter(length: number, { start, perPage }: Cut, isLast: boolean): number {
		if (start === 0 && length < perPage && !isLast) return length;
		return isLast && start + length <= this.place.perPage ? MAX_PER_PAGE : this.place.perPage;
	}

	private append(groups: Group[], start: number): void {
		if (start < this.firstRead || start > this.firstRead + this.read.length) {
			this.firstRead = start;
			this.read = [];
		}
		this.read.length = start - this.firstRead;
		for (const group of groups) {
			this.read.push({ guid: guidOf(group), createdAt: timeIn(group, 'createdAt') });
		}
	}
}

function changesTooFast(): ListError {
	return new ListError(
		'The list of groups changes faster than it can be read',
		"Wait for the next poll. If it happens again, add 'Filters' to make the list shorter.",
	);
}

class RepetitionCheck {
	private stale = 0;

	constructor(private readonly plural: string) {}

	add(isNew: boolean, number: number): void {
		this.stale = isNew ? 0 : this.stale + 1;
		if (this.stale === 3)
			throw new ListError(`CometChat sent the same ${this.plural} again on page ${number}`);
	}
}
