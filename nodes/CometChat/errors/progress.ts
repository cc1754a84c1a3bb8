import { isNodeError } from './nodeError';
import { joinSentences, formatList } from './formatText';

/** An item's state after a failed run, as worded in the error, e.g. "partly completed (50 of 75)". */
export type ItemState = string;

export const COMPLETED: ItemState = 'completed';
const POSSIBLY_COMPLETED: ItemState = 'possibly completed';
export const ALSO_FAILED: ItemState = 'also failed';
export const NOT_STARTED: ItemState = 'not started';

/**
 * Returns the state of an item by its changes, or undefined if certainly none of the changes took effect.
 *
 * @param done number of completed changes
 * @param unknown number of changes with an unknown outcome
 * @param wanted number of changes that the item requires
 */
export function getChangeState(
	done: number,
	unknown: number,
	wanted: number,
): ItemState | undefined {
	if (done >= wanted) return COMPLETED;
	if (done === 0) return unknown === 0 ? undefined : POSSIBLY_COMPLETED;
	return `partly completed (${done} of ${wanted}${unknown > 0 ? `, possibly ${done + unknown}` : ''})`;
}

/**
 * Adds the other items' states to a failed item's error.
 *
 * @param states states of all items
 * @param failedIndex index of the item that the error is about
 */
export function addProgress(error: unknown, states: ItemState[], failedIndex: number): unknown {
	if (states.length === 1 || !isNodeError(error)) return error;
	// Sentences about partly completed items come last
	const order = [COMPLETED, POSSIBLY_COMPLETED, ALSO_FAILED, NOT_STARTED, ...states];
	const sentences = [...new Set(order)].map((state) =>
		formatItems(
			[...states.keys()].filter((index) => index !== failedIndex && states[index] === state),
			state,
		),
	);
	const description = error.description ?? undefined;
	error.description = joinSentences([description, ...sentences, '(n8n counts items from 0.)']);
	return error;
}

/** Maximum number of index ranges to list in one sentence. */
const MAX_SPANS = 10;

/**
 * Formats item indexes and a state, e.g. "Items 0 to 3 and 5 were completed". Returns an empty string if
 * there are no items.
 */
function formatItems(indexes: number[], state: ItemState): string {
	if (indexes.length === 0) return '';
	const spans: Array<[first: number, last: number]> = [];
	for (const index of indexes) {
		const span = spans.at(-1);
		if (span && span[1] === index - 1) span[1] = index;
		else spans.push([index, index]);
	}
	const texts = spans.slice(0, MAX_SPANS).map(([a, b]) => (a === b ? `${a}` : `${a} to ${b}`));
	if (spans.length > MAX_SPANS) texts.push('others');
	const [noun, verb] = indexes.length === 1 ? ['Item', 'was'] : ['Items', 'were'];
	const predicate = state === ALSO_FAILED ? state : `${verb} ${state}`;
	return `${noun} ${formatList(texts)} ${predicate}`;
}
