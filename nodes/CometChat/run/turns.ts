/** An item's turn to change entities, after earlier items that change the same entities. */
export interface ChangeTurn {
	/** Resolves when all earlier changes to these entities have ended */
	ready: Promise<unknown>;
	/** Ends the turn, so that the next change can start */
	end: () => void;
}

/** Runs changes to the same entity one after another, in the order in which items take their turns. */
export class ChangeQueues {
	/** Promises that resolve when the latest change with a key ends, keyed by that key */
	private readonly ends = new Map<string, Promise<void>>();

	/**
	 * @param keys keys of the entities that the item changes, e.g. a message's ID, and the key that
	 * `takeNextUploadQueueKey` returned, if any
	 */
	reserveTurn(keys: string[]): ChangeTurn {
		const ready = Promise.all(keys.map((key) => this.ends.get(key) ?? Promise.resolve()));
		let end = () => {};
		const ended = new Promise<void>((resolve) => {
			end = resolve;
		});
		const allEnded = ready.then(async () => await ended);
		for (const key of keys) this.ends.set(key, allEnded);
		return { ready, end };
	}
}
