/** An item's place in the queue of changes to the same targets. */
export interface Turn {
	/** Resolves when all earlier changes to the targets have ended */
	ready: Promise<unknown>;
	/** Ends the turn, so that the next change can start */
	end: () => void;
}

/** Makes changes to the same target run one after another, in the order in which items take their turns. */
export class Turns {
	/** For each target, a promise that settles when its latest change finishes. */
	private readonly ends = new Map<string, Promise<void>>();

	/** @param targets keys of what the item changes, e.g. of a message, and of its place for uploads */
	take(targets: string[]): Turn {
		const ready = Promise.all(targets.map((target) => this.ends.get(target) ?? Promise.resolve()));
		let end = () => {};
		const ended = new Promise<void>((resolve) => {
			end = resolve;
		});
		const allEnded = ready.then(async () => await ended);
		for (const target of targets) this.ends.set(target, allEnded);
		return { ready, end };
	}
}
