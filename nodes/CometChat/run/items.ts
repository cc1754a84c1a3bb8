import { sleep, type INodeExecutionData } from 'n8n-workflow';

import type { AllItemsRunner, Operation, Resource } from '../types';
import {
	ALSO_FAILED_STATE,
	COMPLETED_STATE,
	NOT_STARTED_STATE,
	addStatesOfOtherItems,
} from '../errors/itemStates';
import { isTool } from '../helpers/tool';
import { findOrCreateChangeOutcomesOfRun } from '../calls/outcomes';
import { StoppedError } from '../transport/failure';
import { createParameterReaderFactory } from '../request/parameterReader';
import { executeItem } from './item';
import { SharedRunState } from './run';

/** Maximum number of items in progress. Most of these items wait for a response, a rate limit or their turn. */
const MAX_ITEMS_IN_PROGRESS = 2_000;

/**
 * Number of items to start before yielding to the event loop. Reading the parameters of more items at once would delay
 * the handling of responses.
 */
const START_TOGETHER = 20;

const EMPTY_ADVICE =
	"so the nodes after this one don't run, and a loop ends. To continue, turn on 'Always Output Data' in the node's Settings.";

/** Returns the hint for an empty list or a file download without files. Returns undefined for other operations. */
function hintAtEmptyOutput({ response }: Operation): string | undefined {
	if ('many' in response) return `The list is empty, ${EMPTY_ADVICE}`;
	return 'files' in response ? `No message has files, ${EMPTY_ADVICE}` : undefined;
}

/** Creates the function that n8n calls to run the operation for all items. */
function createAllItemsRunner(operation: Operation): AllItemsRunner {
	return async function () {
		const createReader = createParameterReaderFactory(this);
		const run = new SharedRunState(
			findOrCreateChangeOutcomesOfRun(this.getExecuteData()),
			this.getExecutionCancelSignal(),
		);
		const results: INodeExecutionData[][] = [];
		try {
			await executeItems(this.getInputData().length, run, async (index) => {
				const item = { index, context: this, reader: createReader(index) };
				results[index] = await executeItem(run, operation, item);
			});
		} finally {
			run.limiter.stop();
		}
		const items = results.flat();
		const emptyHint = items.length === 0 ? hintAtEmptyOutput(operation) : undefined;
		if (emptyHint && !isTool(this.getNode()) && !this.getNode().alwaysOutputData) {
			run.hints.add(emptyHint);
		}
		const repetitions = run.repetitions.createHintText(operation);
		if (repetitions !== undefined) run.hints.add(repetitions);
		this.addExecutionHints(
			...run.allHints.map((message) => ({ message, location: 'outputPane' as const })),
		);
		return [isTool(this.getNode()) ? [...items, ...run.hintItems] : items];
	};
}

/**
 * Starts the items in order, and waits until all started items have ended. If an item fails, no further items
 * start.
 *
 * @throws the failed item's error, which also describes the states of the other items. If several items failed, the
 * one with the lowest index counts. Throws nothing if n8n canceled the execution.
 */
async function executeItems(
	count: number,
	run: SharedRunState,
	execute: (index: number) => Promise<void>,
): Promise<void> {
	const completed = new Set<number>();
	const errors = new Map<number, unknown>();
	const executing: Array<Promise<void>> = [];
	let open = 0;
	let wake = () => {};
	const executeNext = async (index: number) => {
		open++;
		await execute(index).then(
			() => completed.add(index),
			(error: unknown) => error instanceof StoppedError || errors.set(index, error),
		);
		open--;
		wake();
	};
	for (let index = 0; index < count && !run.limiter.stopped; index++) {
		executing.push(executeNext(index));
		if (executing.length % START_TOGETHER === 0) await sleep(0);
		if (open >= MAX_ITEMS_IN_PROGRESS) {
			await new Promise<void>((resolve) => {
				wake = resolve;
			});
		}
	}
	await Promise.all(executing);
	// An error would make n8n report a canceled execution as failed
	if (errors.size === 0 || run.isCanceled) return;
	const first = Math.min(...errors.keys());
	const states = Array.from({ length: count }, (_, index) => {
		if (completed.has(index)) return COMPLETED_STATE;
		return (
			run.outcomes.findOrCreateForItem(index).state ??
			(errors.has(index) ? ALSO_FAILED_STATE : NOT_STARTED_STATE)
		);
	});
	throw addStatesOfOtherItems(errors.get(first), states, first);
}

/**
 * Builds the functions that n8n calls to run operations, keyed by resource and operation.
 *
 * @param createOwnRunner creates the function for an operation whose `hasOwnRunner` is true
 */
export function buildCustomOperations(
	resources: Resource[],
	createOwnRunner: (operation: Operation) => AllItemsRunner,
): Record<string, Record<string, AllItemsRunner>> {
	return Object.fromEntries(
		resources.map(({ value, operations }) => [
			value,
			Object.fromEntries(
				operations.map((operation) => [
					operation.value,
					(operation.hasOwnRunner ? createOwnRunner : createAllItemsRunner)(operation),
				]),
			),
		]),
	);
}
