import { ListError, MAX_PER_PAGE } from '../operation/lists';
import { eachPage } from '../operation/pagePagination';
import type { Page } from '../transport/response';
import type { Group } from './events';

/** Times that a list is gone through at most while groups vanish from it. */
const MAX_PASSES = 5;

/** Smallest page: from there on pages follow each other without an overlap. */
const LEAST_PER_PAGE = Math.floor(MAX_PER_PAGE / 2) + 1;

/**
 * How long page number `page` is: one group less than the page before, so that it begins with
 * `page - 1` groups that the page before had too. For as many groups as polls can meet, that is.
 */
function lengthOf(page: number): number {
	return Math.max(MAX_PER_PAGE + 1 - page, LEAST_PER_PAGE);
}

function guidsOf({ data }: Page): Set<string> {
	return new Set(data.flatMap(({ guid }) => (typeof guid === 'string' ? guid : [])));
}

/**
 * Watches the seams between pages. When a group is deleted, or stops to fit the filters, all that
 * follow it move forward, and one that was on the next page moves to a page that was already read.
 */
class Seams {
	private before?: { guids: Set<string>; isFull: boolean };

	/** @returns false when a page shares no group with the one before, as it should */
	holds(number: number, page: Page): boolean {
		const guids = guidsOf(page);
		const { before } = this;
		this.before = { guids, isFull: page.data.length === lengthOf(number) };
		// A page shorter than asked for shows a service with a limit of its own: nothing overlaps then
		if (!before?.isFull || before.guids.size === 0 || lengthOf(number) === LEAST_PER_PAGE)
			return true;
		return [...guids].some((guid) => before.guids.has(guid));
	}
}

export type FetchPage = (page: number, perPage: number) => Promise<Page>;

/**
 * Gives each page of a list that may change meanwhile.
 *
 * @param age seconds, rounded up, that the page may be younger than the first one; 0 for the first.
 * The list may be gone through again: what it holds comes again then, from a page of age 0 on
 * @returns whether to go on
 */
export type Visit = (groups: Group[], age: number) => boolean;

/** @returns false when a group may have slipped through */
async function onePass(fetchPage: FetchPage, visit: Visit): Promise<boolean> {
	const seams = new Seams();
	const startedAt = Date.now();
	let age = 0;
	let isSteady = true;
	// The length differs from page to page, so only an empty page, or the service, ends the list
	const plan = {
		plural: 'groups',
		id: 'guid',
		firstPage: 1,
		perPage: 1,
		limit: Infinity,
		maxItems: Infinity,
		maxAhead: 1,
	};
	const fetchNext = async (number: number) => {
		const page = await fetchPage(number, lengthOf(number));
		isSteady = seams.holds(number, page);
		age = number === 1 ? 0 : Math.ceil((Date.now() - startedAt + 1) / 1000);
		return page;
	};
	await eachPage(plan, fetchNext, ({ data }) => isSteady && visit(data, age));
	return isSteady;
}

/**
 * Goes through a whole list, page after page, and loses no group that is in it all the time,
 * whatever else comes and goes meanwhile.
 *
 * @throws ListError when the list changes faster than it can be read
 */
export async function eachSteadyPage(fetchPage: FetchPage, visit: Visit): Promise<void> {
	for (let pass = 1; pass <= MAX_PASSES; pass++) {
		if (await onePass(fetchPage, visit)) return;
	}
	throw new ListError(
		'The list of groups changes faster than it can be read. The next poll tries again; with "Filters" the list becomes shorter',
	);
}
