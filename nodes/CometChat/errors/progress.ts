import { isNodeError } from './nodeError';
import { joined, listText } from './words';

/** How far the items came, by their indexes. */
export interface Progress {
	done: number[];
	/** Under way when the run was stopped: the change may have been made */
	unknown: number[];
	failed: Map<number, unknown>;
}

/**
 * The error of a run of several items.
 *
 * @param count how many items there are
 * @returns what the first of the failed items threw, with sentences about the others
 */
export function firstError({ done, unknown, failed }: Progress, count: number): unknown {
	const first = Math.min(...failed.keys());
	const error = failed.get(first);
	if (count === 1 || !isNodeError(error)) return error;
	const others = [...failed.keys()].filter((index) => index !== first);
	const known = new Set([...done, ...unknown, ...failed.keys()]);
	const unsent = Array.from({ length: count }, (_, index) => index).filter((i) => !known.has(i));
	const sentences = [
		itemsText(done, 'carried out'),
		itemsText(unknown, 'perhaps carried out'),
		itemsText(others, 'not carried out either'),
		itemsText(unsent, 'not started'),
	];
	const own = error.description ?? undefined;
	error.description = joined([own, ...sentences, '(n8n counts items from 0.)']);
	return error;
}

/** Spans of items that a sentence names at most. */
const MAX_SPANS = 10;

/** e.g. "Items 0 to 3 and 5 were carried out"; nothing for no items. */
function itemsText(indexes: number[], what: string): string {
	if (indexes.length === 0) return '';
	const sorted = [...indexes].sort((a, b) => a - b);
	const spans: Array<[first: number, last: number]> = [];
	for (const index of sorted) {
		const span = spans.at(-1);
		if (span && span[1] === index - 1) span[1] = index;
		else spans.push([index, index]);
	}
	const texts = spans.slice(0, MAX_SPANS).map(([a, b]) => (a === b ? `${a}` : `${a} to ${b}`));
	if (spans.length > MAX_SPANS) texts.push('others');
	const isOne = indexes.length === 1;
	return `${isOne ? 'Item' : 'Items'} ${listText(texts)} ${isOne ? 'was' : 'were'} ${what}`;
}
