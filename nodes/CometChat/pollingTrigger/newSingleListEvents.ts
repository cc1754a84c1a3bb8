import { isObject } from '../helpers/json';
import {
	findLatestPastTime,
	getSearchStart,
	readContentHashFromVersion,
	type Occurrence,
} from './occurrences';
import type { PollParameters } from './pollParameters';
import type { SingleListSearchResult } from './search';

/** Progress of polls that search a single list, e.g. of groups, stored as JSON in the workflow's static data. */
export interface SingleListPollState {
	/** Hash of the event, filters, user and app. If any of these changes, polling starts over. */
	fingerprint: string;
	/**
	 * Time up to which polls have read events, in Unix seconds by CometChat's clock. Earlier events were returned or
	 * permanently ignored, except events that CometChat lists late.
	 */
	lastSeenAt: number;
	/**
	 * Time in Unix seconds that the latest search reached. Set only if this search may have missed occurrences. If
	 * the next search may also miss occurrences, `lastSeenAt` advances at most to this time.
	 */
	unconfirmedAt?: number;
	/**
	 * Set only if the first poll ran out of time: the time of that poll, in Unix seconds. Its search isn't continued,
	 * and earlier occurrences never count as new.
	 */
	startedAt?: number;
	/** Search that ran out of time. The next poll continues this search. */
	unfinished?: {
		/** Number of the page at which the next poll continues */
		nextPage: number;
		/** Latest time to which `lastSeenAt` can advance when the search ends, in Unix seconds */
		reachedAt: number;
	};
	/** Occurrences that a later poll may find again but must not return */
	handled: Array<[id: string, at: number, version: string]>;
}

/**
 * Seconds before `lastSeenAt` that each poll searches again. The overlap covers changes that become
 * visible late, changes during a poll, and servers whose clocks differ by minutes.
 */
export const SINGLE_LIST_OVERLAP_SECONDS = 300;

/** Returns the start of the next search, in Unix seconds. */
export const getSingleListSearchStart = ({
	lastSeenAt,
	startedAt = 0,
}: SingleListPollState): number =>
	Math.max(startedAt, getSearchStart(lastSeenAt, SINGLE_LIST_OVERLAP_SECONDS));

/**
 * True if a saved value is a state with this fingerprint. Doesn't check other properties, because only this
 * package writes fingerprints.
 */
export function isStateMatchingFingerprint(
	value: unknown,
	fingerprint: string,
): value is SingleListPollState {
	return isObject(value) && value.fingerprint === fingerprint;
}

/** Occurrences for a poll to return, oldest first, and the state for the next poll. */
export interface NewSingleListEventsAndState {
	occurrences: Occurrence[];
	state: SingleListPollState;
}

/**
 * Selects the occurrences that earlier polls didn't return. If there are more than `maxItems`, later polls return
 * the rest. Occurrences that the settings don't allow to start the workflow are marked as handled.
 *
 * - An entity dated in the future is returned once. `lastSeenAt` doesn't advance to that date, because this would
 *   hide others.
 * - If there are new occurrences, `lastSeenAt` advances at most to the oldest of them. The next poll then finds
 *   the occurrences that exceeded `maxItems`, and entities that this search missed because they moved to another
 *   page.
 * - If the search may have missed occurrences, `lastSeenAt` advances at most to the time that the previous search
 *   reached, so that two searches cover every occurrence.
 * - If the search ran out of time, `lastSeenAt` doesn't advance, and the next poll continues with the next page.
 * - If the app itself changed only the time of an entity in `state.handled`, the entity isn't returned again.
 *   Otherwise, a workflow that writes the same values into an entity would start itself again and again.
 *
 * @param now n8n's time, in Unix seconds
 */
export function selectNewSingleListEventsAndState(
	state: SingleListPollState,
	{ occurrences: found, mayLackOccurrences, nextPage }: SingleListSearchResult,
	{ maxItems, canStartWorkflow }: Pick<PollParameters, 'maxItems' | 'canStartWorkflow'>,
	now: number,
): NewSingleListEventsAndState {
	const start = getSingleListSearchStart(state);
	const handled = new Map(state.handled.map((occurrence) => [occurrence[0], occurrence]));
	const markAsHandled = ({ id, at, version }: Occurrence) => handled.set(id, [id, at, version]);
	const fresh = found.filter((occurrence) => {
		const { id, at, version, isByApp } = occurrence;
		const [, lastAt = 0, lastVersion] = handled.get(id) ?? [];
		const isSameContent =
			readContentHashFromVersion(version) === readContentHashFromVersion(lastVersion);
		// CometChat's servers can be out of sync, so a later response may contain an older version
		const isOutdated = at < lastAt && lastAt <= now;
		const isKnown = version === lastVersion || (isByApp && isSameContent && !isOutdated);
		// Updates the time in the state. Otherwise, polls would forget an entity without an event time.
		if (isKnown) markAsHandled(occurrence);
		if (at < start || isKnown || isOutdated) return false;
		if (!canStartWorkflow(occurrence)) markAsHandled(occurrence);
		return canStartWorkflow(occurrence);
	});
	fresh.sort((a, b) => a.at - b.at);
	const occurrences = fresh.slice(0, maxItems);
	occurrences.forEach(markAsHandled);
	const reachedAt = findReachedAt(state, found, occurrences, now);
	const progress =
		nextPage === undefined
			? { ...advance(state, mayLackOccurrences, reachedAt), unfinished: undefined }
			: { unfinished: { nextPage, reachedAt } };
	const remembered = [...handled.values()].filter(([, at]) => at >= start);
	return { occurrences, state: { ...state, ...progress, handled: remembered } };
}

/**
 * Returns the latest time to which `lastSeenAt` can advance, in Unix seconds. This is the time of the oldest
 * occurrence to return. If the poll returns none, it is the time of the newest occurrence found.
 */
function findReachedAt(
	{ lastSeenAt, unfinished }: SingleListPollState,
	found: Occurrence[],
	[oldest]: Occurrence[],
	now: number,
): number {
	if (unfinished && !oldest) return unfinished.reachedAt;
	const times = (oldest ? [oldest] : found).map(({ at }) => at);
	const latest = Math.max(lastSeenAt, findLatestPastTime(times, now));
	return Math.min(latest, unfinished?.reachedAt ?? Infinity);
}

/** Computes the new `lastSeenAt` and `unconfirmedAt` after a search that reached the end of the list. */
function advance(
	{ lastSeenAt, unconfirmedAt = lastSeenAt }: SingleListPollState,
	mayLackOccurrences: boolean,
	reachedAt: number,
): Pick<SingleListPollState, 'lastSeenAt' | 'unconfirmedAt'> {
	return mayLackOccurrences
		? { lastSeenAt: Math.min(unconfirmedAt, reachedAt), unconfirmedAt: reachedAt }
		: { lastSeenAt: reachedAt, unconfirmedAt: undefined };
}
