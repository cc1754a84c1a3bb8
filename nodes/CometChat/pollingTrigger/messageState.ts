import { hasFingerprint } from './newGroupsOrReports';

/** Position up to which a list of messages was read. */
export interface ListPosition {
	/** Unix seconds by CometChat's clock. Earlier messages were handled or ignored, except those listed late. */
	lastSeenAt: number;
	/** Unix seconds of a message before the next search. The page with this message is the last page to read. */
	anchorAt?: number;
	/** Set if the time ran out before the end of the list was reached */
	resume?: {
		/** ID of the last handled message. Messages are handled oldest first. */
		after: string;
		/** Unix seconds of the first poll that ran out of time. `lastSeenAt` advances at most to this time. */
		since: number;
	};
	/**
	 * Newest message when the list was first read, or only the time if the poll had no time to read the list. Messages
	 * up to this one start nothing. Omitted after the searches have left this time behind.
	 */
	newestAtStart?: { id?: string; at: number };
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
	/** Keys of the lists that CometChat refused in the latest poll */
	refused: string[];
	/** Keys of the lists that the latest poll had no time to read. The next poll reads them first, in this order. */
	unread: string[];
}

/** A MessageState as stored in the workflow's static data */
export interface SavedMessageState {
	/** Hash from `computeFingerprint`. If the hash changes, all lists start afresh. */
	fingerprint: string;
	positions: Array<[key: string, position: ListPosition]>;
	/** Messages grouped by their lists, which are indexes of `positions`, to keep the state small */
	handled: Array<[lists: number[], messages: Array<[id: string, at: number]>]>;
	refused: string[];
	unread: string[];
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
	fingerprint: string,
	keys: string[],
): MessageState {
	if (!isSavedMessageState(saved, fingerprint)) {
		return { positions: new Map(), handled: new Map(), refused: [], unread: [] };
	}
	const watchedKeys = new Set(keys);
	const isWatched = (key: string | undefined): key is string =>
		key !== undefined && watchedKeys.has(key);
	const handled = saved.handled.flatMap(([lists, messages]) => {
		const listKeys = lists.map((index) => saved.positions[index]?.[0]).filter(isWatched);
		if (listKeys.length === 0) return [];
		return messages.map(([id, at]): [string, HandledMessage] => [id, { at, listKeys }]);
	});
	return {
		positions: new Map(saved.positions.filter(([key]) => isWatched(key))),
		handled: new Map(handled),
		refused: saved.refused.filter(isWatched),
		unread: saved.unread.filter(isWatched),
	};
}

/** Converts a state for n8n's database. */
export function toSavedMessageState(
	{ positions, handled, refused, unread }: MessageState,
	fingerprint: string,
): SavedMessageState {
	const indexes = new Map([...positions.keys()].map((key, index) => [key, index]));
	const groups = new Map<string, SavedMessageState['handled'][number]>();
	for (const [id, { at, listKeys }] of handled) {
		const lists = listKeys.flatMap((key) => indexes.get(key) ?? []);
		const name = lists.join();
		const group = groups.get(name) ?? [lists, []];
		groups.set(name, group);
		group[1].push([id, at]);
	}
	return {
		...{ fingerprint, positions: [...positions], handled: [...groups.values()] },
		...{ refused, unread },
	};
}
