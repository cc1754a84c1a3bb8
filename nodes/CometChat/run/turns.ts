/** An item's place in the queue of changes to the same targets. */
export interface Turn {
	/**
	 * Resolves when all earlier changes to the targets have ended. Undefined if there are no earlier changes.
	 */
	ready?: Promise<unknown>;
	/** Ends the turn, so that the next change can start */
	end: () => void;
}

/** Makes changes to the same target run one after another, in the order in which items take their turns. */
export class Turns {
	/** For each target, a promise that settles when its latest change finishes. */
	private readonly ends = new Map<string, Promise<unknown>>();

	/** @param targets entities that the item changes, e.g. a group and a user */
	take(targets: string[]): Turn {
		const before = targets.flatMap((target) => this.ends.get(target) ?? []);
		const ready = before.length > 0 ? Promise.all(before) : undefined;
		let end = () => {};
		const ended = new Promise<void>((resolve) => {
			end = resolve;
		});
		const allEnded = ready ? Promise.all([ready, ended]) : ended;
		for (const target of targets) this.ends.set(target, allEnded);
		void allEnded.then(() => {
			for (const target of targets) {
				if (this.ends.get(target) === allEnded) this.ends.delete(target);
			}
		});
		return { ready, end };
	}
}
