import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import {
	CARRIED_OUT,
	FAILED_TOO,
	NOT_STARTED,
	changedState,
	withProgress,
} from '../errors/progress';
import { MAX_IN_FLIGHT, StoppedError } from '../transport/limiter';
import { executeItem } from './item';
import { outcomesOf } from '../results/outcomes';
import { sourcesOf } from '../values/source';
import { Run } from './run';
import type { CustomOperation, Operation } from '../description/types';

/** Items under way at once that could send just now, and how few make it start more. */
const MAX_STARTED = 3 * MAX_IN_FLIGHT;
const REFILL_BELOW = MAX_STARTED / 2;

/** Items under way at once in all, also those that wait for their turn or for a rate limit. */
const MAX_OPEN = 2_000;

/** Makes what n8n calls for a run of the operation, with all of its items. */
export function customOperation(operation: Operation): CustomOperation {
	return async function () {
		const sourceOf = sourcesOf(this);
		const run = new Run(outcomesOf(this.getExecuteData()), this.getExecutionCancelSignal());
		const results: INodeExecutionData[][] = [];
		try {
			await forEachItem(this.getInputData().length, run, async (index) => {
				const item = { index, context: this, source: sourceOf(index) };
				results[index] = await executeItem(run, operation, item);
			});
		} finally {
			run.limiter.stop();
		}
		hintAt(this, run);
		return [results.flat()];
	};
}

/** Tells what is no failure, and of fields that no item has: their items are empty. */
function hintAt(context: IExecuteFunctions, { hints, missingFields }: Run): void {
	// Not every version of n8n has hints
	const { addExecutionHints }: Partial<IExecuteFunctions> = context;
	const names = missingFields.map((name) => `'${name}'`).join(', ');
	const fields = missingFields.length > 1 ? 'fields' : 'field';
	const messages = [...hints, ...(names === '' ? [] : [`No item has the ${fields} ${names}`])];
	for (const message of messages) {
		addExecutionHints?.call(context, { message, location: 'outputPane' });
	}
}

/**
 * Does the work for every item in order, so many at once. The first that fails stops the limiter: no
 * other is started.
 *
 * @throws what the work for the first of the failed items threw, with a sentence about the others
 */
async function forEachItem(
	count: number,
	run: Run,
	work: (index: number) => Promise<void>,
): Promise<void> {
	const { limiter } = run;
	const done = new Set<number>();
	const failed = new Map<number, unknown>();
	let underWay = 0;
	let wake = () => {};
	run.onChange = () => wake();
	const change = () =>
		new Promise<void>((resolve) => {
			wake = resolve;
		});
	const start = async (index: number) => {
		underWay++;
		try {
			await work(index);
			done.add(index);
		} catch (error) {
			if (!(error instanceof StoppedError)) failed.set(index, error);
		}
		underWay--;
		wake();
	};
	const isFull = (most: number) => underWay >= MAX_OPEN || underWay - run.heldBack >= most;
	for (let index = 0; index < count && !limiter.stopped; index++) {
		if (isFull(MAX_STARTED)) while (isFull(REFILL_BELOW) && !limiter.stopped) await change();
		if (!limiter.stopped) void start(index);
	}
	while (underWay > 0) await change();
	// When the user stopped the run, n8n says so, and would call it a failure if there were an error
	if (failed.size === 0 || run.isCancelled) return;
	const first = Math.min(...failed.keys());
	const states = Array.from({ length: count }, (_, index) => {
		if (done.has(index)) return CARRIED_OUT;
		const { wanted, counts, wasRefused } = run.outcomes.of(index);
		const changed = changedState(counts.done, counts.unknown, wanted);
		return changed ?? (failed.has(index) || wasRefused ? FAILED_TOO : NOT_STARTED);
	});
	throw withProgress(failed.get(first), states, first);
}
