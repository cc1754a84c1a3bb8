import { isStateMatchingFingerprint } from './newSingleListEvents';

/** Position up to which a list of messages was read. */
export interface ListPosition {
	/**
	 * Unix seconds by CometChat's clock. Earlier messages were handled or ignored, except messages that CometChat
	 * lists late.
	 */
	lastSeenAt: number;
	/**
	 * Time in Unix seconds of a message from before the next search's start. The search requests this message again,
	 * because finding it ends the search without another request.
	 */
	anchorAt?: number;
	/** Set if the last poll ran out of time before it read the newest message */
	resume?: {
		/** ID of the message after which the next poll continues, oldest first */
		after: string;
		/**
		 * Time in Unix seconds of the first poll that ran out of time. When a later poll finishes the search,
		 * `lastSeenAt` advances at most to this time.
		 */
		since: number;
	};
	/**
	 * Newest message at the list's first poll. Only later messages start the workflow. Omitted once searches start
	 * after `at`.
	 */
	newestAtStart?: {
		/** Undefined if that poll had no time to read the list. Then messages sent since `at` start the workflow. */
		id?: string;
		/** Time in Unix seconds by CometChat's clock */
		at: number;
	};
}

/** Time and lists of a message that no later poll returns. */
export interface TimeAndListsOfHandledMessage {
	/** Time in Unix seconds */
	at: number;
	/** Keys of the lists in which a later poll may find the message again */
	listKeys: string[];
}

/**
 * Progress in all watched lists of messages. If a list has no position yet, a poll only records its newest message.
 */
export interface UnpackedMessagePollState {
	positions: Map<string, ListPosition>;
	/** Messages that have started the workflow or never will, keyed by ID */
	handled: Map<string, TimeAndListsOfHandledMessage>;
	/** Keys of the lists that CometChat refused in the latest poll */
	refused: string[];
	/** Keys of the lists that the latest poll had no time to read. The next poll reads them first, in this order. */
	unread: string[];
}

/** An UnpackedMessagePollState as stored in the workflow's static data */
export interface SavedMessagePollState {
	/** Hash from `computeFingerprint`. If the hash changes, the saved state is discarded. */
	fingerprint: string;
	positions: Array<[key: string, position: ListPosition]>;
	/**
	 * Messages grouped by the lists that contain them. Each list is stored as its index in `positions`, to keep
	 * the state small.
	 */
	handled: Array<[lists: number[], messages: Array<[id: string, at: number]>]>;
	refused: string[];
	unread: string[];
}

const isSavedMessageState = (value: unknown, fingerprint: string): value is SavedMessagePollState =>
	isStateMatchingFingerprint(value, fingerprint);

/**
 * Reads a saved state, without the lists that are no longer watched. Returns an empty state if the saved state
 * isn't valid for the current parameters.
 *
 * @param keys keys of the watched lists
 */
export function restoreMessagePollState(
	saved: unknown,
	fingerprint: string,
	keys: string[],
): UnpackedMessagePollState {
	if (!isSavedMessageState(saved, fingerprint)) {
		return { positions: new Map(), handled: new Map(), refused: [], unread: [] };
	}
	const watchedKeys = new Set(keys);
	const isWatched = (key: string | undefined): key is string =>
		key !== undefined && watchedKeys.has(key);
	const handled = saved.handled.flatMap(([lists, messages]) => {
		const listKeys = lists.map((index) => saved.positions[index]?.[0]).filter(isWatched);
		if (listKeys.length === 0) return [];
		return messages.map(([id, at]): [string, TimeAndListsOfHandledMessage] => [
			id,
			{ at, listKeys },
		]);
	});
	return {
		positions: new Map(saved.positions.filter(([key]) => isWatched(key))),
		handled: new Map(handled),
		refused: saved.refused.filter(isWatched),
		unread: saved.unread.filter(isWatched),
	};
}

/** Converts a state to the JSON that n8n's database stores. */
export function serializeMessagePollState(
	{ positions, handled, refused, unread }: UnpackedMessagePollState,
	fingerprint: string,
): SavedMessagePollState {
	const indexes = new Map([...positions.keys()].map((key, index) => [key, index]));
	const groups = new Map<string, SavedMessagePollState['handled'][number]>();
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
