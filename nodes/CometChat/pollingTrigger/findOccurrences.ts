import { getSearchStart, type Occurrence } from './occurrences';
import {
	hasFingerprint,
	OVERLAP_SECONDS,
	selectNewOccurrences,
	type NewOccurrences,
} from './newOccurrences';
import type { Fingerprints } from './pollParameters';
import { searchOccurrences, type OccurrenceSource } from './search';

/**
 * Finds the reports or groups since the last poll. The first poll returns no occurrences. It only records which
 * occurrences already exist, so that only later events start the workflow.
 *
 * @param now the poll's start time in Unix seconds
 */
export async function findNewOccurrences(
	source: OccurrenceSource,
	{ current: fingerprint }: Fingerprints,
	saved: unknown,
	now: number,
): Promise<NewOccurrences> {
	if (hasFingerprint(saved, fingerprint)) {
		const found = await searchOccurrences(
			source,
			getSearchStart(saved.lastSeenAt, OVERLAP_SECONDS),
		);
		return selectNewOccurrences(saved, found, source, now);
	}
	// Except for Group Updated, also records groups outside the filters: a group that matches later isn't new
	const isChange = source.event.search?.comparedFields !== undefined;
	const request = isChange ? source.request : { ...source.request, query: {} };
	const { found, lastSeenAt } = await findExistingOccurrences({ ...source, request }, now);
	const state = { fingerprint, lastSeenAt, returned: [] };
	return {
		...selectNewOccurrences(state, found, { ...source, maxItems: Infinity }, now),
		occurrences: [],
	};
}

/**
 * Finds the latest occurrences that exist at the first poll.
 *
 * @returns the occurrences since shortly before `lastSeenAt`, which is the time of the newest occurrence, but
 * not after `now`. `now` alone doesn't suffice, because n8n's clock may be days ahead of CometChat's.
 */
async function findExistingOccurrences(source: OccurrenceSource, now: number) {
	// CometChat's clock may be hours behind n8n's
	const recent = await searchOccurrences(source, getSearchStart(now - 86_400, OVERLAP_SECONDS));
	const isEmpty = recent.occurrences.length === 0 && recent.start > 0;
	const known = isEmpty ? await searchOccurrences(source, 0) : recent;
	const newest = known.occurrences.reduce((latest, { at }) => Math.max(latest, at), 0);
	const lastSeenAt = Math.min(now, newest);
	const start = getSearchStart(lastSeenAt, OVERLAP_SECONDS);
	if (!isEmpty && recent.start <= start) return { found: recent, lastSeenAt };
	return { found: await searchOccurrences(source, start), lastSeenAt };
}

/**
 * Finds reports or groups for 'Fetch Test Event', including the newest.
 *
 * @param now current time in Unix seconds
 */
export async function findNewestOccurrences(
	source: OccurrenceSource,
	now: number,
): Promise<Occurrence[]> {
	// The list is sorted by creation time, so its first page may lack the groups that were changed or joined last
	const start = source.event.search?.range === 'created' ? now : 0;
	return (await searchOccurrences(source, start)).occurrences;
}
