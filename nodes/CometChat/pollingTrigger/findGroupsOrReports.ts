import { getSearchStart, type Occurrence } from './occurrences';
import {
	hasFingerprint,
	GROUP_AND_REPORT_OVERLAP_SECONDS,
	selectNewGroupsOrReports,
	type GroupOrReportSelection,
} from './newGroupsOrReports';
import type { Fingerprints } from './pollParameters';
import { searchGroupsOrReports, type PollInput } from './search';

/**
 * Finds the reports or groups since the last poll. The first poll returns no occurrences. It only records which
 * occurrences already exist, so that only later events start the workflow.
 *
 * @param now the poll's start time in Unix seconds
 */
export async function findNewGroupsOrReports(
	input: PollInput,
	{ current: fingerprint }: Fingerprints,
	saved: unknown,
	now: number,
): Promise<GroupOrReportSelection> {
	if (hasFingerprint(saved, fingerprint)) {
		const found = await searchGroupsOrReports(
			input,
			getSearchStart(saved.lastSeenAt, GROUP_AND_REPORT_OVERLAP_SECONDS),
		);
		return selectNewGroupsOrReports(saved, found, input, now);
	}
	// Except for Group Updated, also records groups outside the filters: a group that matches later isn't new
	const isChange = input.event.search?.comparedFields !== undefined;
	const request = isChange ? input.request : { ...input.request, query: {} };
	const { found, lastSeenAt } = await findExistingGroupsOrReports({ ...input, request }, now);
	const state = { fingerprint, lastSeenAt, returned: [] };
	return {
		...selectNewGroupsOrReports(state, found, { ...input, maxItems: Infinity }, now),
		occurrences: [],
	};
}

/**
 * Finds the latest occurrences that exist at the first poll.
 *
 * @returns the occurrences since shortly before `lastSeenAt`, which is the time of the newest occurrence, but
 * not after `now`. `now` alone doesn't suffice, because n8n's clock may be days ahead of CometChat's.
 */
async function findExistingGroupsOrReports(input: PollInput, now: number) {
	// CometChat's clock may be hours behind n8n's
	const recent = await searchGroupsOrReports(
		input,
		getSearchStart(now - 86_400, GROUP_AND_REPORT_OVERLAP_SECONDS),
	);
	const isEmpty = recent.occurrences.length === 0 && recent.searchedFrom > 0;
	const known = isEmpty ? await searchGroupsOrReports(input, 0) : recent;
	const newest = known.occurrences.reduce((latest, { at }) => Math.max(latest, at), 0);
	const lastSeenAt = Math.min(now, newest);
	const start = getSearchStart(lastSeenAt, GROUP_AND_REPORT_OVERLAP_SECONDS);
	if (!isEmpty && recent.searchedFrom <= start) return { found: recent, lastSeenAt };
	return { found: await searchGroupsOrReports(input, start), lastSeenAt };
}

/**
 * Finds reports or groups for 'Fetch Test Event', including the newest.
 *
 * @param now current time in Unix seconds
 */
export async function findNewestGroupsOrReports(
	input: PollInput,
	now: number,
): Promise<Occurrence[]> {
	// The list is sorted by creation time, so its first page may lack the groups that were changed or joined last
	const start = input.event.search?.partToRead === 'created' ? now : 0;
	return (await searchGroupsOrReports(input, start)).occurrences;
}
