import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { Progress } from '../errors/progress';
import { firstError } from '../errors/progress';
import { MAX_IN_FLIGHT, StoppedError } from '../transport/limiter';
import { InterruptedError } from '../transport/send';
import { executeItem } from './executeItem';
import { outcomesOf } from './idempotency';
import type { Batching } from './parameters';
import { batchingOf, sourcesOf } from './parameters';
import { Run } from './run';
import type { CustomOperation, Operation } from './types';

/**
 * Items under way at once, and how few make it start more. More than requests, so that one which
 * waits leaves no gap; and many at a time, which takes less of the processor than one by one.
 */
const MAX_STARTED = 3 * MAX_IN_FLIGHT;
const REFILL_BELOW = MAX_STARTED / 2;

/** Makes what n8n calls for a run of the operation, with all of its items. */
export function customOperation(operation: Operation): CustomOperation {
	return async function () {
		const sourceOf = sourcesOf(this);
		const batching = batchingOf(sourceOf(0));
		const run = new Run(outcomesOf(this.getExecuteData()), this.getExecutionCancelSignal());
		const results: INodeExecutionData[][] = [];
		try {
			await forEachItem(this.getInputData().length, run, batching, async (index) => {
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

/** Tells of fields that no item has: their items are empty, and the run is no failure. */
function hintAt(context: IExecuteFunctions, { missingFields }: Run): void {
	// Not every version of n8n has hints
	const { addExecutionHints }: Partial<IExecuteFunctions> = context;
	if (missingFields.length === 0) return;
	const names = missingFields.map((name) => `'${name}'`).join(', ');
	const message = `No item has the field${missingFields.length > 1 ? 's' : ''} ${names}`;
	addExecutionHints?.call(context, { message, location: 'outputPane' });
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
	{ size, interval }: Batching,
	work: (index: number) => Promise<void>,
): Promise<void> {
	const { limiter } = run;
	const progress: Progress = { done: [], unknown: [], failed: new Map() };
	let underWay = 0;
	let wake = () => {};
	const oneEnded = () =>
		new Promise<void>((resolve) => {
			wake = resolve;
		});
	const start = async (index: number) => {
		underWay++;
		try {
			await work(index);
			progress.done.push(index);
		} catch (error) {
			if (error instanceof InterruptedError) progress.unknown.push(index);
			else if (!(error instanceof StoppedError)) progress.failed.set(index, error);
		}
		underWay--;
		wake();
	};
	for (let index = 0; index < count && !limiter.stopped; index++) {
		if (interval > 0 && index > 0 && index % size === 0) {
			await limiter.wait(interval).catch(() => {}); // the run was stopped
		}
		if (underWay >= MAX_STARTED) while (underWay > REFILL_BELOW) await oneEnded();
		if (!limiter.stopped) void start(index);
	}
	while (underWay > 0) await oneEnded();
	// When the user stopped the run, n8n says so, and would call it a failure if there were an error
	if (progress.failed.size > 0 && !run.isCancelled) throw firstError(progress, count);
}
