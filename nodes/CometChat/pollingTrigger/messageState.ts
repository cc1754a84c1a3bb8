import { hasFingerprint, type GroupAndReportState } from './newGroupsOrReports';
import type { Fingerprints } from './pollParameters';

/** Position up to which a list of messages was read. */
export interface ListPosition {
	/** Unix seconds by CometChat's clock. Earlier messages were handled or skipped, except those listed late. */
	lastSeenAt: number;
	/** Unix seconds of a message before the next search. The page with this message is the last page to read. */
	anchorAt?: number;
}

/** A message that no later poll returns. */
export interface HandledMessage {
	/** Time in Unix seconds */
	at: number;
	/** Keys of the lists in which a later poll may find the message again */
	listKeys: string[];
}

/** Progress in all watched lists of messages. Lists without a position start afresh. */
export interface MessageState {
	positions: Map<string, ListPosition>;
	/** Messages that started the workflow or never will, by ID */
	handled: Map<string, HandledMessage>;
	/** Times in Unix seconds of messages that existed when their list was first read, by list and message ID */
	existing: Map<string, Map<string, number>>;
	/** Keys of the lists that CometChat refused in the latest poll */
	refused: string[];
}

/** A MessageState as stored in the workflow's static data. `lists` and `list` are indexes of `positions`. */
export interface SavedMessageState {
	/** Hash from `computeFingerprints`. If the hash changes, all lists start afresh. */
	fingerprint: string;
	positions: Array<[key: string, lastSeenAt: number, anchor?: number]>;
	handled: Array<[lists: number[], messages: string]>;
	skipped: Array<[list: number, messages: string]>;
	refused: string[];
}

const isSavedMessageState = (value: unknown, fingerprint: string): value is SavedMessageState =>
	hasFingerprint(value, fingerprint);

/**
 * Reads a saved state, without the lists that are no longer watched. Returns an empty state if the saved state
 * isn't valid for the current parameters.
 *
 * @param keys keys of the watched lists
 */
export function readMessageState(
	saved: unknown,
	{ current, ofEarlierVersions }: Fingerprints,
	keys: string[],
): MessageState {
	const isWatched = (key: string | undefined): key is string =>
		key !== undefined && keys.includes(key);
	if (hasFingerprint(saved, ofEarlierVersions)) return convertPollState(saved, keys);
	const state: MessageState = {
		...{ positions: new Map(), handled: new Map(), existing: new Map() },
		refused: [],
	};
	if (!isSavedMessageState(saved, current)) return state;
	const keyAt = (index: number) => saved.positions[index]?.[0];
	for (const [key, lastSeenAt, anchor] of saved.positions) {
		if (isWatched(key)) state.positions.set(key, { lastSeenAt, anchorAt: anchor });
	}
	for (const [lists, messages] of saved.handled) {
		const watched = lists.map(keyAt).filter(isWatched);
		if (watched.length === 0) continue;
		for (const [id, at] of decodeMessageTimes(messages))
			state.handled.set(id, { at, listKeys: watched });
	}
	for (const [list, messages] of saved.skipped) {
		const key = keyAt(list);
		if (isWatched(key)) state.existing.set(key, decodeMessageTimes(messages));
	}
	state.refused = saved.refused.filter(isWatched);
	return state;
}

/** Converts a state with one position for all lists, as earlier versions saved it. */
function convertPollState(
	{ lastSeenAt, anchors, returned }: GroupAndReportState,
	keys: string[],
): MessageState {
	const anchorOf = new Map(anchors);
	return {
		positions: new Map(keys.map((key) => [key, { lastSeenAt, anchorAt: anchorOf.get(key) }])),
		handled: new Map(returned.map(([id, at]) => [id, { at, listKeys: keys }])),
		existing: new Map(),
		refused: [],
	};
}

/** Converts a state for n8n's database. Messages with the same lists share one string, to keep the state small. */
export function toSavedMessageState(
	{ positions, handled, existing, refused }: MessageState,
	fingerprint: string,
): SavedMessageState {
	const indexes = new Map([...positions.keys()].map((key, index) => [key, index]));
	const indexesOf = (keys: string[]) => keys.flatMap((key) => indexes.get(key) ?? []);
	const groups = new Map<string, { lists: number[]; times: Map<string, number> }>();
	for (const [id, { at, listKeys }] of handled) {
		const lists = indexesOf(listKeys);
		const name = lists.join();
		const group = groups.get(name) ?? { lists, times: new Map() };
		groups.set(name, group);
		group.times.set(id, at);
	}
	return {
		fingerprint,
		positions: [...positions].map(([key, { lastSeenAt, anchorAt }]) =>
			anchorAt === undefined ? [key, lastSeenAt] : [key, lastSeenAt, anchorAt],
		),
		handled: [...groups.values()].map(({ lists, times }) => [lists, encodeMessageTimes(times)]),
		skipped: [...existing].flatMap(([key, times]) =>
			indexesOf([key]).map((list): [number, string] => [list, encodeMessageTimes(times)]),
		),
		refused,
	};
}

/** Radix of the numbers in a string of messages. */
const RADIX = 36;

/** Prefix of an ID that isn't a number. */
const TEXT_ID_PREFIX = '"';

/**
 * Encodes messages as a short string, sorted by time. Each message consists of the distances of its time and ID
 * from those of the previous message. The distance of the time is left out if the times are equal. An ID that
 * isn't a number is included as text.
 */
export function encodeMessageTimes(times: ReadonlyMap<string, number>): string {
	const before = { id: 0, at: 0 };
	const sorted = [...times].sort(([a, at], [b, other]) => at - other || Number(a) - Number(b) || 0);
	const texts = sorted.map(([id, at]) => {
		const time = at === before.at ? '' : `${(at - before.at).toString(RADIX)}:`;
		before.at = at;
		const number = Number(id);
		if (!Number.isSafeInteger(number) || String(number) !== id) {
			return `${time}${TEXT_ID_PREFIX}${encodeURIComponent(id)}`;
		}
		const distance = number - before.id;
		before.id = number;
		return `${time}${distance.toString(RADIX)}`;
	});
	return texts.join(' ');
}

/** Decodes the string that `encodeMessageTimes` returned. */
export function decodeMessageTimes(text: string): Map<string, number> {
	const times = new Map<string, number>();
	const before = { id: 0, at: 0 };
	for (const part of text.split(' ')) {
		if (part === '') continue;
		const [id = '', time] = part.split(':').reverse();
		if (time !== undefined) before.at += parseInt(time, RADIX);
		if (!id.startsWith(TEXT_ID_PREFIX)) before.id += parseInt(id, RADIX);
		const name = id.startsWith(TEXT_ID_PREFIX)
			? decodeURIComponent(id.slice(1))
			: String(before.id);
		times.set(name, before.at);
	}
	return times;
}
