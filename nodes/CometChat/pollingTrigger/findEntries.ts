import { getSearchStart, type Entry } from './entries';
import { isState, OVERLAP_SECONDS, selectNewEntries, type NewEntries } from './newEntries';
import type { Fingerprints } from './pollParameters';
import { searchEntries, type EntrySource } from './search';

/**
 * Finds the reports or groups since the last poll. The first poll returns no entries and only records which entries
 * already exist, so that only later events start the workflow.
 *
 * @param now the poll's start time in Unix seconds
 */
export async function findNewEntries(
	source: EntrySource,
	{ current: fingerprint }: Fingerprints,
	saved: unknown,
	now: number,
): Promise<NewEntries> {
	if (isState(saved, fingerprint)) {
		const found = await searchEntries(source, getSearchStart(saved.lastSeenAt, OVERLAP_SECONDS));
		return selectNewEntries(saved, found, source, now);
	}
	// Also records groups that don't match the filters, because a group that matches later isn't new
	const isChange = source.event.search?.comparedFields !== undefined;
	const request = isChange ? source.request : { ...source.request, query: {} };
	const { found, lastSeenAt } = await findFirstEntries({ ...source, request }, now);
	const state = { fingerprint, lastSeenAt, returned: [] };
	return { ...selectNewEntries(state, found, { ...source, maxItems: Infinity }, now), entries: [] };
}

/**
 * Finds the entries that exist at the first poll.
 *
 * @returns the entries since shortly before `lastSeenAt`. This is the time of the newest entry by CometChat's
 * clock, because n8n's clock may be days ahead.
 */
async function findFirstEntries(source: EntrySource, now: number) {
	// CometChat's clock may be hours behind n8n's
	const recent = await searchEntries(source, getSearchStart(now - 86_400, OVERLAP_SECONDS));
	const isEmpty = recent.entries.length === 0 && recent.start > 0;
	const known = isEmpty ? await searchEntries(source, 0) : recent;
	const newest = known.entries.reduce((latest, { at }) => Math.max(latest, at), 0);
	const lastSeenAt = Math.min(now, newest);
	const start = getSearchStart(lastSeenAt, OVERLAP_SECONDS);
	if (!isEmpty && recent.start <= start) return { found: recent, lastSeenAt };
	return { found: await searchEntries(source, start), lastSeenAt };
}

/**
 * Finds the newest reports or groups.
 *
 * @param now current time in Unix seconds
 */
export async function findNewestEntries(source: EntrySource, now: number): Promise<Entry[]> {
	// CometChat sorts groups only by creation time, so only the newest groups are on the first page
	const start = source.event.search?.range === 'created' ? now : 0;
	return (await searchEntries(source, start)).entries;
}
