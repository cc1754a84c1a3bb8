import { isErrorWithN8nContext } from './nodeError';
import { joinSentences, formatList } from '../helpers/formatText';

// States of an item after a failed run, as worded in errors. A state such as "partly completed (50 of 75)" is also
// possible.
export const COMPLETED_STATE = 'completed';
export const POSSIBLY_COMPLETED_STATE = 'possibly completed';
export const ALSO_FAILED_STATE = 'also failed';
export const NOT_STARTED_STATE = 'not started';

/**
 * Adds the states of all other items to the description of a failed item's error.
 *
 * @param states states of all items, e.g. "partly completed (50 of 75)"
 * @param failedIndex index of the item that the error is about
 */
export function addStatesOfOtherItems(
	error: unknown,
	states: string[],
	failedIndex: number,
): unknown {
	if (states.length === 1 || !isErrorWithN8nContext(error)) return error;
	// Sentences about partly completed items come last
	const order = [
		COMPLETED_STATE,
		POSSIBLY_COMPLETED_STATE,
		ALSO_FAILED_STATE,
		NOT_STARTED_STATE,
		...states,
	];
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
function formatItems(indexes: number[], state: string): string {
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
	const predicate = state === ALSO_FAILED_STATE ? state : `${verb} ${state}`;
	return `${noun} ${formatList(texts)} ${predicate}`;
}
