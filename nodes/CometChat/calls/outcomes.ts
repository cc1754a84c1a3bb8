import { COMPLETED_STATE, POSSIBLY_COMPLETED_STATE } from '../errors/itemStates';
import type { UnconvertedResult } from '../types';
import { FailedAttemptsError, StoppedError, isUnsafeToRepeat } from '../transport/failure';

/**
 * Results of one item's changes, collected over all attempts by 'Retry On Fail'. Each part of the item, e.g. a UID to
 * add, is one change.
 */
export class ChangeOutcomesOfItem {
	/** Number of changes that the item requires */
	changeCount = 1;

	private readonly results = new Map<string, UnconvertedResult>();

	/**
	 * Changes that a request may have made although it failed. An entry stays until the run ends, because a later
	 * refusal doesn't undo a change.
	 */
	private readonly possiblyMade = new Set<string>();

	/**
	 * Failures rewritten to say that the change may have been made, keyed by the original failure. All changes in a
	 * batch share one rewritten failure, so that the failure is explained only once.
	 */
	private readonly markedFailures = new Map<unknown, FailedAttemptsError>();

	/** Records changes that a request may have made although it failed or got an unclear response. */
	recordPossiblyMade(parts: string[]): void {
		for (const part of parts) this.possiblyMade.add(part);
	}

	/** True if a request that failed or got an unclear response may have made the change. */
	isPossiblyMade(part: string): boolean {
		return this.possiblyMade.has(part);
	}

	/** Returns the result of a change that must not be sent again, or undefined for any other change. */
	getChangeResultIfNotResendable(part: string): UnconvertedResult | undefined {
		const known = this.results.get(part);
		return known?.failure === undefined || isUnsafeToRepeat(known.failure) ? known : undefined;
	}

	/** Returns the latest result of a change, even if the change failed. */
	getChangeResultEvenIfFailed(part: string): UnconvertedResult | undefined {
		return this.results.get(part);
	}

	/**
	 * Stores the result of a change, unless the change failed because the run was stopped.
	 *
	 * @returns the result. If this or an earlier request may have made the change, the failure says so.
	 */
	recordChangeResult(part: string, result: UnconvertedResult): UnconvertedResult {
		const { failure } = result;
		if (failure instanceof StoppedError) return result;
		const isMarked = failure !== undefined && this.isPossiblyMade(part);
		const known = isMarked
			? { ...result, failure: this.convertToPossiblyMadeFailure(failure) }
			: result;
		this.results.set(part, known);
		return known;
	}

	private convertToPossiblyMadeFailure(failure: unknown): FailedAttemptsError {
		const marked = this.markedFailures.get(failure) ?? convertToPossiblyMadeFailure(failure);
		this.markedFailures.set(failure, marked);
		return marked;
	}

	/** State of the item's changes, e.g. "partly completed (2 of 3)". Undefined if no change can have taken effect. */
	get state(): string | undefined {
		const isDone = (part: string) => {
			const known = this.results.get(part);
			return known !== undefined && known.failure === undefined;
		};
		const done = [...this.results.keys()].filter(isDone).length;
		const unknown = [...this.possiblyMade].filter((part) => !isDone(part)).length;
		if (done >= this.changeCount) return COMPLETED_STATE;
		if (done === 0) return unknown === 0 ? undefined : POSSIBLY_COMPLETED_STATE;
		const possibly = unknown > 0 ? `, possibly ${done + unknown}` : '';
		return `partly completed (${done} of ${this.changeCount}${possibly})`;
	}
}

/** Converts a failure to one that says that an earlier request may have made the change. */
function convertToPossiblyMadeFailure(failure: unknown): FailedAttemptsError {
	// After any other failure, e.g. a missing result for an entry, the change is safe to repeat
	const unsent = { error: failure, attempts: 0, elapsedMs: 0, isRepeatable: true };
	const known = failure instanceof FailedAttemptsError ? failure.failure : unsent;
	return new FailedAttemptsError({ ...known, mayHaveWorked: true });
}

/**
 * Outcomes for all items in a run. With 'Retry On Fail', n8n executes all items again. A completed change must not
 * be sent again, and neither must a possibly completed change that isn't repeatable.
 */
export class ChangeOutcomesOfRun {
	/** ID of the node's run, shared by all attempts */
	readonly id = String(Date.now());

	private readonly items = new Map<number, ChangeOutcomesOfItem>();

	findOrCreateForItem(itemIndex: number): ChangeOutcomesOfItem {
		const known = this.items.get(itemIndex) ?? new ChangeOutcomesOfItem();
		this.items.set(itemIndex, known);
		return known;
	}
}

const outcomesByRun = new WeakMap<object, ChangeOutcomesOfRun>();

/**
 * Returns the outcomes of a run, which all attempts of the run share.
 *
 * @param runKey object that all attempts of a run share, and no other run has
 */
export function findOrCreateChangeOutcomesOfRun(runKey: object): ChangeOutcomesOfRun {
	const known = outcomesByRun.get(runKey) ?? new ChangeOutcomesOfRun();
	outcomesByRun.set(runKey, known);
	return known;
}
