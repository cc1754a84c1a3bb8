import { SendError } from '../transport/failure';
import { InterruptedError } from '../transport/send';

/** What happened to a request, also to one that was under way when the run was stopped. */
function failureIn(error: unknown): unknown {
	return error instanceof InterruptedError ? error.failure : error;
}

/** Whether the service may have carried out a request that ended with this error. */
function isOutcomeUnknown(error: unknown): boolean {
	const failure = failureIn(error);
	return failure instanceof SendError && failure.failure.outcomeUnknown;
}

/**
 * What became of the changes of a run. "Retry On Fail" makes n8n carry out all items again: what was
 * done is not done twice, and what may have been done is not done again either. A change is told by
 * its place, and not by what it sends: an expression may give another value at the next attempt.
 */
export class Outcomes {
	/** The same for all attempts at a run, and another one for each node run of an execution */
	readonly id = String(Date.now());

	private readonly byPlace = new Map<string, Promise<unknown>>();

	/**
	 * @param part place of the request among those of the item, counted from 0
	 * @param change sends the request
	 * @returns what `change` returned, now or in an earlier attempt at the run
	 */
	async once<T>(itemIndex: number, part: number, change: () => Promise<T>): Promise<T> {
		const place = `${itemIndex}/${part}`;
		const known = this.byPlace.get(place);
		if (known) {
			return (await known.catch((error: unknown) => {
				throw failureIn(error);
			})) as T;
		}
		const sent = change().catch((error: unknown) => {
			// What was not carried out is tried again
			if (!isOutcomeUnknown(error)) this.byPlace.delete(place);
			throw error;
		});
		this.byPlace.set(place, sent);
		return await sent;
	}
}

const outcomes = new WeakMap<object, Outcomes>();

/** @param execution what is one object for all attempts of "Retry On Fail", and for nothing else */
export function outcomesOf(execution: object): Outcomes {
	const known = outcomes.get(execution) ?? new Outcomes();
	outcomes.set(execution, known);
	return known;
}
