import { isNodeError } from './nodeError';
import { joined, listText } from './words';

/**
 * What became of an item: the words for it, e.g. "carried out in part (50 of 75)". The same for items
 * of which the same is said.
 */
export type ItemState = string;

/** States in the order in which they are told; parts come after them. */
export const CARRIED_OUT: ItemState = 'carried out';
const PERHAPS: ItemState = 'perhaps carried out';
export const FAILED_TOO: ItemState = 'not carried out either';
export const NOT_STARTED: ItemState = 'not started';

/**
 * Of an item that changes something.
 *
 * @param done how many of its changes were carried out
 * @param unknown of how many this is not known
 * @param wanted how many it consists of
 */
export function changedState(done: number, unknown: number, wanted: number): ItemState | undefined {
	if (done >= wanted) return CARRIED_OUT;
	if (done === 0) return unknown === 0 ? undefined : PERHAPS;
	return `carried out in part (${done} of ${wanted}${unknown > 0 ? `, perhaps ${done + unknown}` : ''})`;
}

/**
 * Adds to the error of an item what became of the others.
 *
 * @param states of all items
 * @param first index of the item
 */
export function withProgress(error: unknown, states: ItemState[], first: number): unknown {
	if (states.length === 1 || !isNodeError(error)) return error;
	const byState = new Map<ItemState, number[]>();
	for (const state of [CARRIED_OUT, PERHAPS, FAILED_TOO, NOT_STARTED]) byState.set(state, []);
	states.forEach((state, index) => {
		if (index === first) return;
		const indexes = byState.get(state) ?? [];
		indexes.push(index);
		byState.set(state, indexes);
	});
	const sentences = [...byState].map(([state, indexes]) => itemsText(indexes, state));
	const own = error.description ?? undefined;
	error.description = joined([own, ...sentences, '(n8n counts items from 0.)']);
	return error;
}

/** Spans of items that a sentence names at most. */
const MAX_SPANS = 10;

/** e.g. "Items 0 to 3 and 5 were carried out"; nothing for no items. */
function itemsText(indexes: number[], what: string): string {
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
	return `${isOne ? 'Item' : 'Items'} ${listText(texts)} ${isOne ? 'was' : 'were'} ${what}`;
}
