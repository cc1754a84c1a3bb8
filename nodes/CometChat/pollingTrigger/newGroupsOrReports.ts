import { isObject } from '../helpers/json';
import { getSearchStart, parseContentHash, type Occurrence } from './occurrences';
import type { PollParameters } from './pollParameters';
import type { SearchResult } from './search';

/** Progress of polls for reports or groups, stored as JSON in the workflow's static data. */
export interface GroupAndReportState {
	/** Hash of the event, filters, user and app. If any of these changes, polling starts over. */
	fingerprint: string;
	/**
	 * Time up to which polls have read events, in Unix seconds by CometChat's clock. Earlier events were returned or
	 * left out for good, except events that CometChat lists late.
	 */
	lastSeenAt: number;
	/**
	 * Unix seconds that the latest search reached. Undefined unless this search may lack occurrences. If the next
	 * search may lack occurrences, too, `lastSeenAt` advances at most to this time.
	 */
	unconfirmedAt?: number;
	/** Set only by earlier versions, for messages: Unix seconds of a message before the search, by list */
	anchors?: Array<[key: string, at: number]>;
	/** Occurrences that a later poll may find again but must not return */
	returned: Array<[id: string, at: number, version: string]>;
}

/**
 * Seconds before `lastSeenAt` that each poll searches again. The overlap covers changes that become
 * visible late, changes during a poll (which takes up to five minutes by default), and servers whose
 * clocks differ by minutes.
 */
export const GROUP_AND_REPORT_OVERLAP_SECONDS = 300;

/**
 * True if a saved value is a state with this fingerprint. Other properties aren't validated, because only this
 * package writes these fingerprints.
 */
export function hasFingerprint(value: unknown, fingerprint: string): value is GroupAndReportState {
	return isObject(value) && value.fingerprint === fingerprint;
}

/** Occurrences for a poll to return, oldest first, and the state for the next poll. */
export interface GroupOrReportSelection {
	occurrences: Occurrence[];
	state: GroupAndReportState;
}

/**
 * Selects the occurrences that earlier polls didn't return. If there are more than `maxItems`, later polls
 * return the rest. Occurrences that the settings don't allow to start the workflow are marked as already
 * returned.
 *
 * - A group dated in the future is returned once. `lastSeenAt` doesn't advance to that date, because this would
 *   hide other groups.
 * - If there are new occurrences, `lastSeenAt` advances at most to the oldest of them. The next poll then finds
 *   occurrences again that are left for later polls, and groups that were missed because they moved to another
 *   page during the search.
 * - If the search may lack occurrences, `lastSeenAt` advances at most to the time that the previous search
 *   reached, so that two searches cover every occurrence.
 * - If the app itself changed only the time of a group in `state.returned`, the group isn't returned again.
 *   Otherwise, a workflow that writes the same values into a group would start itself again and again.
 */
export function selectNewGroupsOrReports(
	state: GroupAndReportState,
	{ occurrences: found, mayLackOccurrences }: Omit<SearchResult, 'start'>,
	{ maxItems, canStartWorkflow }: Pick<PollParameters, 'maxItems' | 'canStartWorkflow'>,
	now: number,
): GroupOrReportSelection {
	const start = getSearchStart(state.lastSeenAt, GROUP_AND_REPORT_OVERLAP_SECONDS);
	const returned = new Map(state.returned.map((occurrence) => [occurrence[0], occurrence]));
	const markAsReturned = ({ id, at, version }: Occurrence) => returned.set(id, [id, at, version]);
	const fresh = found.filter((occurrence) => {
		const { id, at, version, isByApp } = occurrence;
		const [, lastAt = 0, lastVersion] = returned.get(id) ?? [];
		const isSameContent = parseContentHash(version) === parseContentHash(lastVersion);
		// CometChat's servers can be out of sync, so a later response may contain an older version
		const isOutdated = at < lastAt && lastAt <= now;
		const isKnown = version === lastVersion || (isByApp && isSameContent && !isOutdated);
		// Keep a group without a timestamp in the state for as long as CometChat lists the group
		if (isKnown) markAsReturned(occurrence);
		if (at < start || isKnown || isOutdated) return false;
		if (!canStartWorkflow(occurrence)) markAsReturned(occurrence);
		return canStartWorkflow(occurrence);
	});
	fresh.sort((a, b) => a.at - b.at);
	const occurrences = fresh.slice(0, maxItems);
	occurrences.forEach(markAsReturned);
	const reached = occurrences.length === 0 ? found : occurrences.slice(0, 1);
	const times = reached.map(({ at }) => at).filter((at) => at <= now);
	const reachedAt = times.reduce((latest, at) => Math.max(latest, at), state.lastSeenAt);
	const { unconfirmedAt = state.lastSeenAt } = state;
	const progress = mayLackOccurrences
		? { lastSeenAt: Math.min(unconfirmedAt, reachedAt), unconfirmedAt: reachedAt }
		: { lastSeenAt: reachedAt, unconfirmedAt: undefined };
	const remembered = [...returned.values()].filter(([, at]) => at >= start);
	return { occurrences, state: { ...state, ...progress, returned: remembered } };
}
