import { COMPLETED, POSSIBLY_COMPLETED } from '../errors/progress';
import type { Result } from '../types';
import { RequestError, StoppedError, couldWorkTwice } from '../transport/failure';

/** Results of an item's changes, in all attempts of the run. A change is a part of the item, e.g. a UID to add. */
export class OutcomesOfAllAttempts {
	/** Number of changes that the item requires */
	changeCount = 1;

	private readonly results = new Map<string, Result>();

	/**
	 * Changes that may have worked. An entry stays until the run ends, because no later refusal undoes a
	 * change.
	 */
	private readonly doubted = new Set<string>();

	/**
	 * Rewritten failures of changes that may have worked, keyed by the original failure. The changes in a batch
	 * share a failure, which is explained only once.
	 */
	private readonly markedFailures = new Map<unknown, RequestError>();

	/** Remembers changes that a request may have made although it failed or got an unclear response. */
	doubt(parts: string[]): void {
		for (const part of parts) this.doubted.add(part);
	}

	/** True if a request that failed or got an unclear response may have made the change. */
	isDoubted(part: string): boolean {
		return this.doubted.has(part);
	}

	/** Returns the result of a change that must not be sent again, or undefined for any other change. */
	getFinal(part: string): Result | undefined {
		const known = this.results.get(part);
		return known?.failure === undefined || couldWorkTwice(known.failure) ? known : undefined;
	}

	/** Returns the latest result of a change, even if the change failed. */
	get(part: string): Result | undefined {
		return this.results.get(part);
	}

	/**
	 * Stores the result of a change, unless the change failed because the run was stopped.
	 *
	 * @returns the result. The failure of a doubted change says that the change may have worked.
	 */
	record(part: string, result: Result): Result {
		const { failure } = result;
		if (failure instanceof StoppedError) return result;
		const isMarked = failure !== undefined && this.isDoubted(part);
		const known = isMarked ? { ...result, failure: this.markDoubted(failure) } : result;
		this.results.set(part, known);
		return known;
	}

	private markDoubted(failure: unknown): RequestError {
		const marked = this.markedFailures.get(failure) ?? markDoubted(failure);
		this.markedFailures.set(failure, marked);
		return marked;
	}

	/** State of the item's changes, or undefined if none of the changes can have taken effect. */
	get state(): string | undefined {
		const isDone = (part: string) => {
			const known = this.results.get(part);
			return known !== undefined && known.failure === undefined;
		};
		const done = [...this.results.keys()].filter(isDone).length;
		const unknown = [...this.doubted].filter((part) => !isDone(part)).length;
		if (done >= this.changeCount) return COMPLETED;
		if (done === 0) return unknown === 0 ? undefined : POSSIBLY_COMPLETED;
		const possibly = unknown > 0 ? `, possibly ${done + unknown}` : '';
		return `partly completed (${done} of ${this.changeCount}${possibly})`;
	}
}

/** Adds to a change's failure that an earlier request may have made the change. */
function markDoubted(failure: unknown): RequestError {
	// Other failures, e.g. a missing result for an entry, occur only if the change can be repeated safely
	const unsent = { error: failure, attempts: 0, elapsedMs: 0, isRepeatable: true };
	const known = failure instanceof RequestError ? failure.failure : unsent;
	return new RequestError({ ...known, mayHaveWorked: true });
}

/**
 * Outcomes for all items in a run. With 'Retry On Fail', n8n executes all items again. A completed change must not
 * be sent again, and neither must a possibly completed change that isn't repeatable.
 */
export class RunOutcomes {
	/** ID of the node's run, shared by all attempts */
	readonly id = String(Date.now());

	private readonly items = new Map<number, OutcomesOfAllAttempts>();

	of(itemIndex: number): OutcomesOfAllAttempts {
		const known = this.items.get(itemIndex) ?? new OutcomesOfAllAttempts();
		this.items.set(itemIndex, known);
		return known;
	}
}

const outcomesByRun = new WeakMap<object, RunOutcomes>();

/** @param runKey object that all attempts of a run share, and no other run has */
export function getOutcomes(runKey: object): RunOutcomes {
	const known = outcomesByRun.get(runKey) ?? new RunOutcomes();
	outcomesByRun.set(runKey, known);
	return known;
}
