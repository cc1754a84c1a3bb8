import {
	findLatestPastTime,
	getSearchStart,
	type PollResult,
	type Occurrence,
} from './occurrences';
import {
	isStateMatchingFingerprint,
	SINGLE_LIST_OVERLAP_SECONDS,
	getSingleListSearchStart,
	selectNewSingleListEventsAndState,
	type SingleListPollState,
} from './newSingleListEvents';
import type { PollParametersWithClientFactory, SingleListSearchFunction } from './search';

/**
 * Finds the events in a single list since the last poll. The first poll only records what CometChat already lists,
 * and returns no occurrences, so that only later events start the workflow. A poll with a new fingerprint counts
 * as the first.
 *
 * @param now the poll's start time in Unix seconds
 */
export async function findNewSingleListEvents(
	search: SingleListSearchFunction,
	input: PollParametersWithClientFactory,
	fingerprint: string,
	saved: unknown,
	now: number,
): Promise<PollResult> {
	if (!isStateMatchingFingerprint(saved, fingerprint)) {
		const state = await startPolling(search, input, fingerprint, now);
		return { occurrences: [], state, isUnfinished: false };
	}
	const start = getSingleListSearchStart(saved);
	const found = await search(input, start, saved.unfinished?.nextPage);
	const selection = selectNewSingleListEventsAndState(saved, found, input, now);
	return { ...selection, isUnfinished: found.nextPage !== undefined };
}

/**
 * Runs the first poll, and returns the state for the next poll. The state contains CometChat's time. Occurrences
 * shortly before this time are marked as handled, because later polls find them again. If the search runs out of
 * time, later polls ignore all occurrences before CometChat's time.
 *
 * @param now n8n's time in Unix seconds, which may be days ahead of CometChat's
 */
async function startPolling(
	search: SingleListSearchFunction,
	input: PollParametersWithClientFactory,
	fingerprint: string,
	now: number,
): Promise<SingleListPollState> {
	// Ignores the filters unless the event compares fields. Otherwise, an old entity that starts to match later would count
	// as new.
	const isChange = input.event.search?.comparedFields !== undefined;
	const request = isChange ? input.request : { ...input.request, query: {} };
	const source = { ...input, request };
	const start = getSearchStart(now, 2 * SINGLE_LIST_OVERLAP_SECONDS);
	let found = await search(source, start);
	const newest = findLatestPastTime(
		found.occurrences.map(({ at }) => at),
		now,
	);
	const lastSeenAt = found.serverTime ?? (newest || now);
	const neededStart = getSearchStart(lastSeenAt, SINGLE_LIST_OVERLAP_SECONDS);
	if (neededStart < start) found = await search(source, neededStart);
	// If the search is unfinished, and CometChat's time is unknown, start a second after the newest occurrence, because
	// the search may have missed others in that second
	const startedAt = found.nextPage === undefined ? undefined : (found.serverTime ?? lastSeenAt + 1);
	// `toOccurrence` dates entities without an event time at `start`, which may be too early to be marked as handled
	const occurrences = found.occurrences.map((occurrence) =>
		occurrence.at < start
			? occurrence
			: { ...occurrence, at: Math.max(occurrence.at, neededStart) },
	);
	const selected = selectNewSingleListEventsAndState(
		{ fingerprint, lastSeenAt, startedAt, handled: [] },
		{ ...found, occurrences, nextPage: undefined },
		{ ...input, maxItems: Infinity },
		now,
	);
	return { ...selected.state, lastSeenAt, unconfirmedAt: undefined };
}

/**
 * Finds events in a single list for 'Fetch Test Event', including the newest.
 *
 * @param now current time in Unix seconds
 */
export async function findSingleListEventsForTestEvent(
	search: SingleListSearchFunction,
	input: PollParametersWithClientFactory,
	now: number,
): Promise<Occurrence[]> {
	// Only newly created entities are sure to be on the first page. For other events, a start of 0 makes the search read
	// all pages.
	const start = input.event.search?.partToRead === 'created' ? now : 0;
	return (await search(input, start)).occurrences;
}
