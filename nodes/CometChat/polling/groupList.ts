import type { IDataObject } from 'n8n-workflow';

import { DescribedError } from '../errors/inputError';
import { formatCount } from '../errors/formatText';
import { MAX_PER_PAGE, getId } from '../results/list';
import { readPaginationNumber, fetchNumberedPages, type FetchPage } from '../results/numberedPages';
import { groupEntity as groupEntity } from '../resources/group/entity';
import { StoppedError } from '../transport/limiter';

/** Maximum number of times to read a list that changes while it is read. */
const MAX_READS = 5;

/** A list of groups that was read. */
export interface GroupSnapshot {
	/** Groups by their GUIDs, in CometChat's order */
	groups: Map<string, IDataObject>;
	/** Whether the list fits on one page. On several pages, a group can move between pages unseen. */
	isOnePage: boolean;
}

/**
 * Reads a list of groups page by page. If groups disappear from the list meanwhile, others may have
 * moved to a page that was read before, so the list is read again. New groups only push others to
 * later pages.
 *
 * @param isEnd whether the groups after the last group of a page can be skipped
 * @returns each group once; groups without a GUID are left out
 * @throws DescribedError if the list changes each time or takes too long
 */
export async function readGroups(
	fetchPage: FetchPage,
	isEnd: (last: IDataObject) => boolean,
): Promise<GroupSnapshot> {
	for (let reads = 0; reads < MAX_READS; reads++) {
		const groups = await readOnce(fetchPage, isEnd);
		if (groups !== undefined) return groups;
	}
	throw new DescribedError(
		'The list of groups changed each time it was read',
		"Wait for the next poll: nothing is lost. If this happens again, add 'Filters' to make the list shorter.",
	);
}

/** @returns undefined if groups may be missing */
async function readOnce(
	fetchPage: FetchPage,
	isEnd: (last: IDataObject) => boolean,
): Promise<GroupSnapshot | undefined> {
	const groups = new Map<string, IDataObject>();
	const fetch: FetchPage = async (...place) =>
		await fetchPage(...place).catch((error: unknown) => {
			throw error instanceof StoppedError && groups.size > 0 ? tooLongError(groups.size) : error;
		});
	let lastTotal = 0;
	// Pages are fetched one after another, because the last group of a page may be the end
	for await (const { number, page, hasMore } of fetchNumberedPages(fetch, {
		perPage: MAX_PER_PAGE,
		maxAhead: 1,
	})) {
		const countBefore = groups.size;
		for (const group of page.data) {
			const guid = getId(group, groupEntity.id);
			if (guid !== undefined) groups.set(guid, group);
		}
		// Groups disappeared, so others moved from this page to an earlier page
		const total = readPaginationNumber(page, 'total') ?? lastTotal;
		if (total < lastTotal) return undefined;
		lastTotal = total;
		const last = page.data.at(-1);
		if (!hasMore || last === undefined || isEnd(last)) return { groups, isOnePage: number === 1 };
		if (groups.size === countBefore) return undefined;
	}
	return undefined;
}

function tooLongError(readCount: number): DescribedError {
	return new DescribedError(
		'The list of groups is too long to read in one poll',
		`The poll's time limit was reached after ${formatCount(readCount)} groups. Nothing is lost: the next poll starts over. If this happens again, add 'Filters' to make the list shorter.`,
	);
}
