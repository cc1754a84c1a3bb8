import type { IDataObject } from 'n8n-workflow';

import {
	findLatestPastTime,
	getSearchStart,
	readTimeOrZero,
	toOccurrence,
	type Occurrence,
} from './occurrences';
import { compareIds } from '../calls/cursorPages';
import type { ListPosition, UnpackedMessagePollState } from './messageState';
import type {
	MessagesReadFromList,
	MessageListsByFetchOutcome,
	MessageReadRange,
} from './messages';
import type { PolledEventDefinition } from './polledEvents';
import type { PollParameters } from './pollParameters';

/**
 * Seconds before a list's position that each poll reads again. Moderation may delay a message in CometChat's lists
 * for an undocumented time (open question 38 in docs/status.md).
 */
export const MESSAGE_OVERLAP_SECONDS = 900;

const getStart = ({ lastSeenAt }: ListPosition): number =>
	getSearchStart(lastSeenAt, MESSAGE_OVERLAP_SECONDS);

/** Returns the later of CometChat's time and the newest message's time, ignoring times after `now`. */
const findLastSeenAt = ({ times, serverTime = 0 }: MessagesReadFromList, now: number): number =>
	findLatestPastTime([...times, serverTime], now);

/**
 * Returns the range of a list to read. Returns undefined if the list has no position yet, so that only its newest page
 * is read.
 */
export function chooseMessageReadRange(
	{ positions }: UnpackedMessagePollState,
	key: string,
): MessageReadRange | undefined {
	const position = positions.get(key);
	if (!position) return undefined;
	const { anchorAt, resume } = position;
	const start = getStart(position);
	return { from: Math.min(start, anchorAt ?? start), stop: start, resumeAfter: resume?.after };
}

/** Converts the messages of all lists to occurrences, without duplicates, sorted oldest first. */
export function toDistinctOccurrences(
	event: PolledEventDefinition,
	read: MessagesReadFromList[],
): Occurrence[] {
	const messages = new Map(read.flatMap((list) => [...list.messages]));
	const occurrences = [...messages].map(([id, message]) => toOccurrence(event, id, message, 0));
	// IDs are increasing numbers, so they order messages that were sent in the same second, even across lists
	return occurrences.sort((a, b) => a.at - b.at || compareIds(a.id, b.id));
}

/** Messages for a poll to return, oldest first, and the state for the next poll. */
export interface NewMessagesAndState {
	occurrences: Occurrence[];
	state: UnpackedMessagePollState;
}

/**
 * Selects the messages that earlier polls didn't return. If there are more than `maxItems`, later polls return the
 * rest.
 *
 * - A list that CometChat refused, or that the poll had no time to read, keeps its position. A later poll
 *   continues from this position.
 * - If a list has no position, the poll only records its newest message. Messages in this list don't start the
 *   workflow, except messages that are new in another list. If the poll had no time to read the list, messages
 *   sent before the poll don't start the workflow.
 * - If a list has new messages that may start the workflow, its position advances at most to the oldest of them.
 *   The next poll then finds the messages that exceeded `maxItems`.
 * - If the time ran out before the end of a list, the next poll continues after the last handled message.
 * - Messages that the settings don't allow to start the workflow are marked as handled, so no later poll returns
 *   them.
 *
 * @param now n8n's time, in Unix seconds
 */
export function selectNewMessagesAndState(
	state: UnpackedMessagePollState,
	{ read, refused, unread }: MessageListsByFetchOutcome,
	{
		event,
		maxItems,
		canStartWorkflow,
	}: Pick<PollParameters, 'event' | 'maxItems' | 'canStartWorkflow'>,
	now: number,
): NewMessagesAndState {
	const next: UnpackedMessagePollState = {
		positions: new Map(state.positions),
		handled: new Map(state.handled),
		refused: refused.map(({ key }) => key),
		unread,
	};
	const parts = read.map((part) => ({ ...part, messages: selectUnhandled(part, state) }));
	const candidates = toDistinctOccurrences(event, parts);
	const occurrences = candidates.filter(canStartWorkflow).slice(0, maxItems);
	const listKeys = listKeysByMessage(parts);
	for (const { id, at } of [
		...occurrences,
		...candidates.filter((occurrence) => !canStartWorkflow(occurrence)),
	]) {
		next.handled.set(id, { at, listKeys: listKeys.get(id) ?? [] });
	}
	const startable = new Set(candidates.filter(canStartWorkflow).map(({ id }) => id));
	for (const part of parts) {
		const { key } = part.list;
		const position = state.positions.get(key);
		next.positions.set(
			key,
			position === undefined
				? createPosition(part, now)
				: part.isUnfinished
					? resumePosition(part, position, next, now)
					: advancePosition(part, position, startable, now),
		);
	}
	startUnreadLists(next, read, now);
	forgetOld(next);
	return { occurrences, state: next };
}

/** Selects a list's messages that no earlier poll handled and that were sent after the list's first poll. */
function selectUnhandled(
	{ list: { key }, messages }: MessagesReadFromList,
	{ positions, handled }: UnpackedMessagePollState,
): MessagesReadFromList['messages'] {
	const position = positions.get(key);
	if (!position) return new Map();
	const start = getStart(position);
	const isNew = ([id, message]: [string, IDataObject]) => {
		const at = readTimeOrZero(message, 'sentAt');
		return at >= start && !handled.has(id) && isAfterStart(position, id, at);
	};
	return new Map([...messages].filter(isNew));
}

/**
 * True if the message was sent after its list's first poll. Compares IDs, which increase over time, or times if
 * that poll had no time to read the list.
 */
function isAfterStart({ newestAtStart }: ListPosition, id: string, at: number): boolean {
	if (newestAtStart === undefined) return true;
	return newestAtStart.id === undefined
		? at >= newestAtStart.at
		: compareIds(id, newestAtStart.id) > 0;
}

/** Maps each message's ID to the keys of the watched lists that the message belongs to. */
function listKeysByMessage(parts: MessagesReadFromList[]): Map<string, string[]> {
	return new Map(
		parts.flatMap(({ list, messages }) =>
			[...messages].map(([id, message]): [string, string[]] => [id, list.listWatchedKeys(message)]),
		),
	);
}

/** Creates the position of a list that was read for the first time. */
function createPosition(part: MessagesReadFromList, now: number): ListPosition {
	const lastSeenAt = findLastSeenAt(part, now);
	const id = [...part.ids].sort(compareIds).at(-1);
	const newestAtStart =
		id === undefined ? undefined : { id, at: Math.max(lastSeenAt, ...part.times) };
	return { ...moveTo(lastSeenAt, part), newestAtStart };
}

/** Creates positions for lists that have no position and that the poll had no time to read. */
function startUnreadLists(
	{ positions, unread }: UnpackedMessagePollState,
	read: MessagesReadFromList[],
	now: number,
): void {
	const at = findLatestPastTime(
		read.map(({ serverTime = 0 }) => serverTime),
		now,
	);
	if (at === 0) return;
	for (const key of unread) {
		if (!positions.has(key)) positions.set(key, { lastSeenAt: at, newestAtStart: { at } });
	}
}

/** Returns the position of a list that was read up to its newest message. */
function advancePosition(
	part: MessagesReadFromList,
	position: ListPosition,
	startable: ReadonlySet<string>,
	now: number,
): ListPosition {
	const times = [...part.messages]
		.filter(([id]) => startable.has(id))
		.map(([, message]) => readTimeOrZero(message, 'sentAt'));
	const reached =
		times.length > 0 ? findLatestPastTime([Math.min(...times)], now) : findLastSeenAt(part, now);
	// Lets the next search find older messages that moderation released while a search was unfinished
	const limit = position.resume?.since ?? Infinity;
	return moveTo(Math.max(position.lastSeenAt, Math.min(reached, limit)), part, position);
}

/** Returns the position of a list whose newest messages the poll had no time to read. */
function resumePosition(
	part: MessagesReadFromList,
	position: ListPosition,
	{ handled }: UnpackedMessagePollState,
	now: number,
): ListPosition {
	const leftId = [...part.messages.keys()].find((id) => !handled.has(id));
	const ids = [...part.ids];
	const last = (leftId === undefined ? ids.length : ids.indexOf(leftId)) - 1;
	const after = ids[last] ?? position.resume?.after;
	const lastSeenAt = Math.max(
		position.lastSeenAt,
		findLatestPastTime([part.times[last] ?? 0], now),
	);
	const since = position.resume?.since ?? Math.min(part.serverTime ?? now, now);
	return {
		...moveTo(lastSeenAt, part, position),
		resume: after === undefined ? undefined : { after, since },
	};
}

/**
 * Creates a list's position with a new `lastSeenAt`. If the poll read messages that are older than the start of the
 * next search, `anchorAt` becomes the time of the newest of them.
 */
function moveTo(
	lastSeenAt: number,
	{ times }: MessagesReadFromList,
	{ anchorAt, newestAtStart }: Partial<ListPosition> = {},
): ListPosition {
	const start = getStart({ lastSeenAt });
	const older = times.filter((time) => time < start);
	const isBehind = newestAtStart !== undefined && newestAtStart.at < start;
	return {
		lastSeenAt,
		anchorAt: older.length > 0 ? findLatestPastTime(older, start) : anchorAt,
		newestAtStart: isBehind ? undefined : newestAtStart,
	};
}

/**
 * Deletes the handled messages that no later poll can find again, because they were sent before the next search's
 * start in every list that contains them.
 */
function forgetOld({ positions, handled }: UnpackedMessagePollState): void {
	const startOf = (key: string) => {
		const position = positions.get(key);
		return position ? getStart(position) : Infinity;
	};
	for (const [id, { at, listKeys }] of handled) {
		if (listKeys.every((key) => at < startOf(key))) handled.delete(id);
	}
}
