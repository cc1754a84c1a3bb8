import { isObject } from '../transport/json';
import { parseContentHash, type Entry } from './entries';
import type { FoundEntries } from './search';

/** Progress of a polling trigger, stored as JSON in the workflow's static data. */
export interface PollState {
	/** Hash of the event, filters, user and app. If one of these changes, polling starts afresh. */
	fingerprint: string;
	/** Unix seconds by CometChat's clock. Earlier events were returned, unless CometChat shows them late. */
	lastSeenAt: number;
	/** Returned entries that a later poll may find again */
	returned: Array<[id: string, at: number, version: string]>;
}

/**
 * Seconds before `lastSeenAt` that each poll searches again. They cover changes that become visible
 * late, changes during a poll (five minutes by default), and servers whose clocks differ by minutes.
 */
export const OVERLAP_SECONDS = 300;

/** Returns the first second that a poll searches. */
export function getSearchStart(lastSeenAt: number): number {
	return Math.max(0, lastSeenAt - OVERLAP_SECONDS);
}

/**
 * Creates the state of a new trigger. The first search begins a day before now, because CometChat's
 * clock may be hours behind n8n's.
 */
export function createState(fingerprint: string, now: number): PollState {
	return { fingerprint, lastSeenAt: now - 86_400, returned: [] };
}

/** Whether a saved value is a state with this fingerprint. Only this package writes fingerprints. */
export function isState(value: unknown, fingerprint: string): value is PollState {
	return isObject(value) && value.fingerprint === fingerprint;
}

export interface SelectionOptions {
	/** Maximum number of entries to return. Later polls return the rest. */
	maxItems: number;
	/** Unix seconds by CometChat's clock */
	now: number;
	/** Whether an entry may start the workflow. Other entries count as returned. */
	canStart?: (entry: Entry) => boolean;
}

/** Entries that a poll returns, oldest first, and the state for the next poll. */
export interface NewEntries {
	entries: Entry[];
	state: PollState;
}

/**
 * Selects the entries that earlier polls did not return.
 *
 * - A group that is dated in the future is returned once. It does not move `lastSeenAt`, so that it
 *   hides no other group.
 * - While entries are left for later polls, `lastSeenAt` stays, so that CometChat lists them again.
 * - If the list had several pages, a group may have moved between pages unseen. Then `lastSeenAt` only
 *   moves to the oldest new entry.
 * - If the app itself changed only the time of a group, the group is not returned. Otherwise a workflow
 *   that writes the same values into a group would start itself again and again.
 */
export function selectNewEntries(
	state: PollState,
	{ entries: found, isOnePage }: FoundEntries,
	{ maxItems, now, canStart = () => true }: SelectionOptions,
): NewEntries {
	const start = getSearchStart(state.lastSeenAt);
	const returned = new Map(state.returned.map((entry) => [entry[0], entry]));
	const markAsReturned = ({ id, at, version }: Entry) => returned.set(id, [id, at, version]);
	const fresh = found.filter((entry) => {
		const { id, at, version, isByApp } = entry;
		const [, lastAt = 0, lastVersion] = returned.get(id) ?? [];
		const contentHash = parseContentHash(version);
		const isSameContent =
			contentHash !== undefined && contentHash === parseContentHash(lastVersion);
		// One of CometChat's servers may lag behind and send an older version
		const isOutdated = at < lastAt && lastAt <= now;
		const isKnown = version === lastVersion || (isByApp && isSameContent && !isOutdated);
		// Also remembers a group without a time as long as CometChat lists it
		if (isKnown) markAsReturned(entry);
		if (at < start || isKnown || isOutdated) return false;
		if (!canStart(entry)) markAsReturned(entry);
		return canStart(entry);
	});
	fresh.sort((a, b) => a.at - b.at);
	const entries = fresh.slice(0, maxItems);
	entries.forEach(markAsReturned);
	const hasMore = fresh.length > entries.length;
	const complete = isOnePage || entries.length === 0 ? found : entries.slice(0, 1);
	const times = hasMore ? [] : complete.map(({ at }) => at).filter((at) => at <= now);
	const lastSeenAt = times.reduce((latest, at) => Math.max(latest, at), state.lastSeenAt);
	const remembered = [...returned.values()].filter(([, at]) => at >= start);
	return { entries, state: { ...state, lastSeenAt, returned: remembered } };
}
