import { hasUnknownOutcome } from '../transport/failure';
import { StoppedError } from '../transport/limiter';

/** What came of a change: what was made of the response, or why it is not known whether it was carried out. */
export type Outcome<T> = { done: T } | { unknown: unknown };

/**
 * What became of the changes of one item, in all attempts at the run. What was not carried out is not
 * in it.
 */
export class ItemOutcomes {
	/** Changes that the item consists of */
	wanted = 1;

	/** Whether one of them was refused */
	wasRefused = false;

	private readonly known = new Map<string, Outcome<unknown>>();

	/** @param part names the change among those of the item */
	recall<T>(part: string): Outcome<T> | undefined {
		return this.known.get(part) as Outcome<T> | undefined;
	}

	/** Remembers a change that was carried out. */
	recordDone(part: string, value: unknown): void {
		this.known.set(part, { done: value });
	}

	/** Remembers a change that failed, unless it is certain that it was not carried out. */
	recordFailure(part: string, error: unknown): void {
		if (hasUnknownOutcome(error)) this.known.set(part, { unknown: error });
		else if (!(error instanceof StoppedError)) this.wasRefused = true;
	}

	/**
	 * @param change sends the only request of the item
	 * @returns what `change` returned, now or in an earlier attempt at the run
	 */
	async once<T>(change: () => Promise<T>): Promise<T> {
		const known = this.recall<T>('');
		if (known) {
			if ('done' in known) return known.done;
			throw known.unknown;
		}
		const value = await change().catch((error: unknown) => {
			this.recordFailure('', error);
			throw error;
		});
		this.recordDone('', value);
		return value;
	}

	/** How many of the changes were carried out, and of how many this is not known. */
	get counts(): { done: number; unknown: number } {
		const all = [...this.known.values()];
		const done = all.filter((outcome) => 'done' in outcome).length;
		return { done, unknown: all.length - done };
	}
}

/**
 * What became of the changes of a run. "Retry On Fail" makes n8n carry out all items again: what was
 * done is not done twice, and what may have been done is not done again either. A change is told by
 * its item, and by the entry of a list that is sent in batches, but not by what else it sends: an
 * expression may give another value at the next attempt.
 */
export class Outcomes {
	/** The same for all attempts at a run, and another one for each node run of an execution */
	readonly id = String(Date.now());

	private readonly items = new Map<number, ItemOutcomes>();

	of(itemIndex: number): ItemOutcomes {
		const known = this.items.get(itemIndex) ?? new ItemOutcomes();
		this.items.set(itemIndex, known);
		return known;
	}
}

const outcomes = new WeakMap<object, Outcomes>();

/** @param execution what is one object for all attempts of "Retry On Fail", and for nothing else */
export function getOutcomes(execution: object): Outcomes {
	const known = outcomes.get(execution) ?? new Outcomes();
	outcomes.set(execution, known);
	return known;
}
