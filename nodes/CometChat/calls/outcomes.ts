import { COMPLETED, POSSIBLY_COMPLETED } from '../errors/progress';
import type { Result } from '../types';
import { StoppedError, hasUnknownOutcome, mayHaveWorked } from '../transport/failure';

/** Results of an item's changes, in all attempts of the run. */
export class ItemOutcomes {
	/** Number of changes that the item requires */
	wanted = 1;

	private readonly results = new Map<string, Result>();

	/**
	 * Returns the result of a change that an earlier attempt completed or possibly completed.
	 *
	 * @param part identifier of the change within the item, e.g. a UID
	 */
	recall(part: string): Result | undefined {
		const known = this.results.get(part);
		return known?.failure === undefined || hasUnknownOutcome(known.failure) ? known : undefined;
	}

	/** Returns the latest result of a change, even if the change failed. */
	get(part: string): Result | undefined {
		return this.results.get(part);
	}

	/** Stores the result of a change, unless the run was stopped before the change was sent. */
	record(part: string, result: Result): Result {
		const { failure } = result;
		if (!(failure instanceof StoppedError) || failure.mayHaveWorked) this.results.set(part, result);
		return result;
	}

	/** State of the item's changes, or undefined if certainly none of the changes took effect. */
	get state(): string | undefined {
		const failures = [...this.results.values()].flatMap(({ failure }) => failure ?? []);
		const done = this.results.size - failures.length;
		const unknown = failures.filter(mayHaveWorked).length;
		if (done >= this.wanted) return COMPLETED;
		if (done === 0) return unknown === 0 ? undefined : POSSIBLY_COMPLETED;
		const possibly = unknown > 0 ? `, possibly ${done + unknown}` : '';
		return `partly completed (${done} of ${this.wanted}${possibly})`;
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
