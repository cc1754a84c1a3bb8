import { sleep, type IExecuteFunctions, type INodeExecutionData } from 'n8n-workflow';

import {
	COMPLETED,
	ALSO_FAILED,
	NOT_STARTED,
	getChangeState,
	addProgress,
} from '../errors/progress';
import { StoppedError } from '../transport/limiter';
import { executeItem } from './item';
import { getOutcomes } from '../results/outcomes';
import { createItemReaders } from '../values/parameterReader';
import { Run, isTool } from './run';
import type { CustomOperation, Operation } from '../description/types';

/** Maximum number of items in progress. Most of them wait for a free place, a rate limit or their turn. */
const MAX_OPEN = 2_000;

/** Number of items started in one go: reading their parameters holds up responses. */
const START_AT_ONCE = 20;

/** Makes what n8n calls for a run of the operation, with all of its items. */
export function createCustomOperation(operation: Operation): CustomOperation {
	return async function () {
		const createReader = createItemReaders(this);
		const run = new Run(getOutcomes(this.getExecuteData()), this.getExecutionCancelSignal());
		const results: INodeExecutionData[][] = [];
		try {
			await executeItems(this.getInputData().length, run, async (index) => {
				const item = { index, context: this, reader: createReader(index) };
				results[index] = await executeItem(run, operation, item);
			});
		} finally {
			run.limiter.stop();
		}
		showHints(this, run.allHints);
		return [isTool(this) ? [...results.flat(), ...run.hintItems] : results.flat()];
	};
}

/** Shows the hints in the output pane. */
function showHints(context: IExecuteFunctions, hints: string[]): void {
	// Older versions of n8n have no hints
	const { addExecutionHints }: Partial<IExecuteFunctions> = context;
	for (const message of hints) {
		addExecutionHints?.call(context, { message, location: 'outputPane' });
	}
}

/**
 * Starts the work for each item in order, and waits until all of it has ended. An item that fails stops
 * the run, so that no other item starts.
 *
 * @throws the error of the first failed item, with a sentence about the other items
 */
async function executeItems(
	count: number,
	run: Run,
	work: (index: number) => Promise<void>,
): Promise<void> {
	const done = new Set<number>();
	const failed = new Map<number, unknown>();
	let open = 0;
	let wake = () => {};
	const oneEnded = async () =>
		await new Promise<void>((resolve) => {
			wake = resolve;
		});
	const start = async (index: number) => {
		open++;
		try {
			await work(index);
			done.add(index);
		} catch (error) {
			if (!(error instanceof StoppedError)) failed.set(index, error);
		}
		open--;
		wake();
	};
	for (let index = 0; index < count && !run.limiter.stopped; index++) {
		void start(index);
		if ((index + 1) % START_AT_ONCE === 0) await sleep(0);
		while (open >= MAX_OPEN) await oneEnded();
	}
	while (open > 0) await oneEnded();
	// When the user stopped the run, n8n says so, and would call it a failure if there were an error
	if (failed.size === 0 || run.isCancelled) return;
	const first = Math.min(...failed.keys());
	const states = Array.from({ length: count }, (_, index) => {
		if (done.has(index)) return COMPLETED;
		const { wanted, counts, wasRefused } = run.outcomes.of(index);
		const changed = getChangeState(counts.done, counts.unknown, wanted);
		return changed ?? (failed.has(index) || wasRefused ? ALSO_FAILED : NOT_STARTED);
	});
	throw addProgress(failed.get(first), states, first);
}
