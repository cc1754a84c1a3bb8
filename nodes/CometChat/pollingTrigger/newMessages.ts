import { getSearchStart, toOccurrence, type Occurrence } from './occurrences';
import type { ListPosition, MessageState } from './messageState';
import type { ListRange, MessageListPart, ReadResult } from './messages';
import type { PolledEvent } from './polledEvents';
import type { PollParameters } from './pollParameters';

/**
 * Seconds before a list's position that each poll reads again. Moderation may hold a message back before
 * CometChat lists the message, for an undocumented time (open question 38).
 */
export const MESSAGE_OVERLAP_SECONDS = 900;

const getStart = ({ lastSeenAt }: ListPosition): number =>
	getSearchStart(lastSeenAt, MESSAGE_OVERLAP_SECONDS);

/**
 * Returns the latest time that isn't after `now`, or 0 without such a time. A message dated in the future must
 * not hide other messages.
 */
const findLatest = (times: number[], limit: number): number =>
	times.reduce((latest, time) => (time > limit ? latest : Math.max(latest, time)), 0);

/** Returns the later of CometChat's time and the newest message's time, ignoring times after `now`. */
const findLastSeenAt = ({ times, clock = 0 }: MessageListPart, now: number): number =>
	findLatest([...times, clock], now);

/** Chooses the part of a list to read. Without a position, this part is the last `MESSAGE_OVERLAP_SECONDS`. */
export function chooseRange({ positions }: MessageState, key: string, now: number): ListRange {
	const position = positions.get(key);
	if (!position) {
		const chooseStop = (read: MessageListPart) =>
			getStart({ lastSeenAt: findLastSeenAt(read, now) });
		return { from: 0, chooseStop };
	}
	const start = getStart(position);
	return { from: Math.min(start, position.anchorAt ?? start), chooseStop: () => start };
}

/** Converts the messages of all lists to occurrences, each once, oldest first. */
export function mergeIntoOccurrences(event: PolledEvent, read: MessageListPart[]): Occurrence[] {
	const messages = new Map(read.flatMap((list) => [...list.messages]));
	const occurrences = [...messages].map(([id, message]) => toOccurrence(event, id, message, 0));
	// IDs are increasing numbers, so they order messages that were sent in the same second, even across lists
	return occurrences.sort((a, b) => a.at - b.at || Number(a.id) - Number(b.id) || 0);
}

/** Messages for a poll to return, oldest first, and the state for the next poll. */
export interface MessageSelection {
	occurrences: Occurrence[];
	state: MessageState;
}

/**
 * Selects the messages that earlier polls didn't return. If there are more than `maxItems`, later polls return
 * the rest.
 *
 * - A refused list keeps its position, and continues there when CometChat lists its messages again.
 * - A list without a position starts afresh: its messages start nothing, except those that are new in another
 *   list.
 * - If a list has new messages that may start the workflow, its position advances at most to the oldest of them.
 *   The next poll then finds messages again that are left for later polls.
 * - Messages that the settings don't allow to start the workflow are marked as handled, so no later poll returns
 *   them.
 *
 * @param now n8n's time, in Unix seconds
 */
export function selectNewMessages(
	state: MessageState,
	{ read, refused }: ReadResult,
	{
		event,
		maxItems,
		canStartWorkflow,
	}: Pick<PollParameters, 'event' | 'maxItems' | 'canStartWorkflow'>,
	now: number,
): MessageSelection {
	const next: MessageState = {
		positions: new Map(state.positions),
		handled: new Map(state.handled),
		existing: new Map(state.existing),
		refused: refused.map(({ key }) => key),
	};
	const fresh: MessageListPart[] = [];
	const hearers = new Map<string, string[]>();
	for (const each of read) {
		const { key, listWatchedKeys } = each.list;
		const position = state.positions.get(key);
		const occurrences = mergeIntoOccurrences(event, [each]);
		if (!position) next.existing.set(key, new Map(occurrences.map(({ id, at }) => [id, at])));
		const unknown = position ? occurrences.filter(createUnknownFilter(state, key, position)) : [];
		for (const { id, data } of unknown) hearers.set(id, listWatchedKeys(data));
		fresh.push({ ...each, messages: new Map(unknown.map(({ id, data }) => [id, data])) });
		const oldest = unknown.find(canStartWorkflow);
		next.positions.set(key, computeNextPosition(each, position, oldest, now));
	}
	const candidates = mergeIntoOccurrences(event, fresh);
	const occurrences = candidates.filter(canStartWorkflow).slice(0, maxItems);
	for (const { id, at } of [
		...occurrences,
		...candidates.filter((occurrence) => !canStartWorkflow(occurrence)),
	]) {
		next.handled.set(id, { at, listKeys: hearers.get(id) ?? [] });
	}
	forgetOld(next);
	return { occurrences, state: next };
}

/** Creates a filter for messages within the list's search that earlier polls neither returned nor recorded. */
function createUnknownFilter(
	{ handled, existing }: MessageState,
	key: string,
	position: ListPosition,
) {
	const start = getStart(position);
	return ({ id, at }: Occurrence): boolean =>
		at >= start && !handled.has(id) && existing.get(key)?.has(id) !== true;
}

/**
 * Returns a list's position after a poll.
 *
 * @param oldest the oldest message that the poll returns or leaves for later polls
 */
function computeNextPosition(
	read: MessageListPart,
	position: ListPosition | undefined,
	oldest: Occurrence | undefined,
	now: number,
): ListPosition {
	const reached = oldest ? findLatest([oldest.at], now) : findLastSeenAt(read, now);
	const lastSeenAt = Math.max(position?.lastSeenAt ?? 0, reached);
	const start = getStart({ lastSeenAt });
	const older = read.times.filter((time) => time < start);
	const anchorAt = older.length > 0 ? findLatest(older, start) : position?.anchorAt;
	return { lastSeenAt, anchorAt };
}

/**
 * Removes handled and skipped messages from the state if the next search of each list that may contain them starts
 * after their time.
 */
function forgetOld({ positions, handled, existing }: MessageState): void {
	const startOf = (key: string) => {
		const position = positions.get(key);
		return position ? getStart(position) : Infinity;
	};
	for (const [id, { at, listKeys }] of handled) {
		if (listKeys.every((key) => at < startOf(key))) handled.delete(id);
	}
	for (const [key, times] of existing) {
		const start = startOf(key);
		const recent = [...times].filter(([, at]) => at >= start);
		if (recent.length > 0) existing.set(key, new Map(recent));
		else existing.delete(key);
	}
}
