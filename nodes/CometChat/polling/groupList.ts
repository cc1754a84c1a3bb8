import type { IDataObject } from 'n8n-workflow';

import { DescribedError } from '../errors/inputError';
import { countText } from '../errors/words';
import { MAX_PER_PAGE, idOf } from '../results/list';
import { numberAt, numberedPages, type FetchPage } from '../results/numberedPages';
import { group as groupEntity } from '../resources/group/entity';
import { StoppedError } from '../transport/limiter';

/** Times that a list is read, at most, when it changes each time. */
const MAX_READS = 5;

/** A list that was read. */
export interface GroupList {
	/** By their GUIDs */
	groups: Map<string, IDataObject>;
	/** Whether it came at once: else a group may have slipped from one page to another unseen */
	isOnePage: boolean;
}

/**
 * Reads a list of groups, page after page. A list that changed so that groups may have been missed is
 * read again. New groups alone do no harm: they push others to later pages, where they come again.
 *
 * @param isEnd tells by the last group of a page whether those after it are of no use
 * @returns each group once, by its GUID, in the service's order; without those that have none
 * @throws DescribedError when the list changes each time, does not end, or takes too long
 */
export async function readList(
	fetchPage: FetchPage,
	isEnd: (last: IDataObject) => boolean,
): Promise<GroupList> {
	for (let reads = 0; reads < MAX_READS; reads++) {
		const groups = await readOnce(fetchPage, isEnd);
		if (groups !== undefined) return groups;
	}
	throw new DescribedError(
		'The list of groups changed each time it was read',
		"Wait for the next poll: nothing is lost. If it happens again, add 'Filters' to make the list shorter.",
	);
}

/** @returns undefined when groups may have been missed */
async function readOnce(
	fetchPage: FetchPage,
	isEnd: (last: IDataObject) => boolean,
): Promise<GroupList | undefined> {
	const groups = new Map<string, IDataObject>();
	const fetch: FetchPage = async (...place) =>
		await fetchPage(...place).catch((error: unknown) => {
			throw error instanceof StoppedError && groups.size > 0 ? tooLong(groups.size) : error;
		});
	let lastTotal = 0;
	// One after the other: the last group of a page may be the end
	for await (const { number, page, hasMore } of numberedPages(fetch, {
		perPage: MAX_PER_PAGE,
		maxAhead: 1,
	})) {
		const known = groups.size;
		for (const group of page.data) {
			const guid = idOf(group, groupEntity.id);
			if (guid !== undefined) groups.set(guid, group);
		}
		// Groups are gone, so others moved from this page to one that was read already
		const total = numberAt(page, 'total') ?? lastTotal;
		if (total < lastTotal) return undefined;
		lastTotal = total;
		const last = page.data.at(-1);
		if (!hasMore || last === undefined || isEnd(last)) return { groups, isOnePage: number === 1 };
		if (groups.size === known) return undefined;
	}
	return undefined;
}

function tooLong(read: number): DescribedError {
	return new DescribedError(
		'The list of groups is too long to be read in one poll',
		`n8n's time for a poll was over after ${countText(read)} groups. Nothing is lost: the next poll begins again. If it happens again, add 'Filters' to make the list shorter.`,
	);
}
