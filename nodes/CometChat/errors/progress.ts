import { isNodeError } from './nodeError';
import { joinSentences, formatList } from './formatText';

/**
 * What became of an item: the words for it, e.g. "carried out in part (50 of 75)". The same for items
 * of which the same is said.
 */
export type ItemState = string;

/** States in the order in which they are told; parts come after them. */
export const COMPLETED: ItemState = 'carried out';
const POSSIBLY_COMPLETED: ItemState = 'perhaps carried out';
export const ALSO_FAILED: ItemState = 'not carried out either';
export const NOT_STARTED: ItemState = 'not started';

/**
 * Of an item that changes something.
 *
 * @param done how many of its changes were carried out
 * @param unknown of how many this is not known
 * @param wanted how many it consists of
 */
export function getChangeState(
	done: number,
	unknown: number,
	wanted: number,
): ItemState | undefined {
	if (done >= wanted) return COMPLETED;
	if (done === 0) return unknown === 0 ? undefined : POSSIBLY_COMPLETED;
	return `carried out in part (${done} of ${wanted}${unknown > 0 ? `, perhaps ${done + unknown}` : ''})`;
}

/**
 * Adds to the error of an item what became of the others.
 *
 * @param states of all items
 * @param first index of the item
 */
export function addProgress(error: unknown, states: ItemState[], first: number): unknown {
	if (states.length === 1 || !isNodeError(error)) return error;
	const byState = new Map<ItemState, number[]>();
	for (const state of [COMPLETED, POSSIBLY_COMPLETED, ALSO_FAILED, NOT_STARTED])
		byState.set(state, []);
	states.forEach((state, index) => {
		if (index === first) return;
		const indexes = byState.get(state) ?? [];
		indexes.push(index);
		byState.set(state, indexes);
	});
	const sentences = [...byState].map(([state, indexes]) => formatItems(indexes, state));
	const own = error.description ?? undefined;
	error.description = joinSentences([own, ...sentences, '(n8n counts items from 0.)']);
	return error;
}

/** Spans of items that a sentence names at most. */
const MAX_SPANS = 10;

/** e.g. "Items 0 to 3 and 5 were carried out"; nothing for no items. */
function formatItems(indexes: number[], what: string): string {
	if (indexes.length === 0) return '';
	const spans: Array<[first: number, last: number]> = [];
	for (const index of indexes) {
		const span = spans.at(-1);
		if (span && span[1] === index - 1) span[1] = index;
		else spans.push([index, index]);
	}
	const texts = spans.slice(0, MAX_SPANS).map(([a, b]) => (a === b ? `${a}` : `${a} to ${b}`));
	if (spans.length > MAX_SPANS) texts.push('others');
	const isOne = indexes.length === 1;
	return `${isOne ? 'Item' : 'Items'} ${formatList(texts)} ${isOne ? 'was' : 'were'} ${what}`;
}
