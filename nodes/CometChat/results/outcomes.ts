import { hasUnknownOutcome } from '../transport/failure';
import { StoppedError } from '../transport/limiter';

/** Outcome of a change that was sent: the result, or the error that leaves the outcome unknown. */
export type Outcome<T> = { done: T } | { unknown: unknown };

/**
 * An item's completed and possibly completed changes, across all attempts of the run. A change that
 * definitely failed isn't stored, so the next attempt sends it again.
 */
export class ItemOutcomes {
	/** Number of changes that the item requires */
	wanted = 1;

	/** True if a change definitely failed */
	wasRefused = false;

	private readonly known = new Map<string, Outcome<unknown>>();

	/** @param part identifier of the change within the item, e.g. a UID */
	recall<T>(part: string): Outcome<T> | undefined {
		return this.known.get(part) as Outcome<T> | undefined;
	}

	/** Stores the result of a completed change. */
	recordDone(part: string, value: unknown): void {
		this.known.set(part, { done: value });
	}

	/** Stores a failed change's error if the change may have been completed. */
	recordFailure(part: string, error: unknown): void {
		if (hasUnknownOutcome(error)) this.known.set(part, { unknown: error });
		else if (!(error instanceof StoppedError)) this.wasRefused = true;
	}

	/**
	 * Sends an item's only change, unless an earlier attempt completed or possibly completed the change.
	 *
	 * @param change function that sends the change
	 * @returns the result of `change`, from this attempt or an earlier attempt
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

	/** Numbers of completed and possibly completed changes. */
	get counts(): { done: number; unknown: number } {
		const all = [...this.known.values()];
		const done = all.filter((outcome) => 'done' in outcome).length;
		return { done, unknown: all.length - done };
	}
}

/**
 * Outcomes for all items in a run. With 'Retry On Fail', n8n executes all items again. Completed and possibly
 * completed changes must not be sent twice, even if an expression returns a different value on the next
 * attempt.
 */
export class Outcomes {
	/** ID of the node's run, shared by all attempts */
	readonly id = String(Date.now());

	private readonly items = new Map<number, ItemOutcomes>();

	of(itemIndex: number): ItemOutcomes {
		const known = this.items.get(itemIndex) ?? new ItemOutcomes();
		this.items.set(itemIndex, known);
		return known;
	}
}

const outcomes = new WeakMap<object, Outcomes>();

/** @param execution object that n8n creates for each run and reuses for all 'Retry On Fail' attempts */
export function getOutcomes(execution: object): Outcomes {
	const known = outcomes.get(execution) ?? new Outcomes();
	outcomes.set(execution, known);
	return known;
}
