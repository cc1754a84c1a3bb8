import { formatNumber, formatList } from '../helpers/formatText';
import { valueToText } from '../helpers/json';
import type { RequestWithValues, Operation } from '../types';

/**
 * Nouns for the entity that a request is about, keyed by the parameter that contains the entity's ID. The first
 * parameter with a value is used.
 */
const PLACES: Record<string, string> = {
	groupId: 'group',
	messageId: 'message',
	userId: 'user',
};

/** Maximum number of groups, messages or users to list in a hint. */
const MAX_LISTED_PLACES = 3;

/**
 * Counts consecutive items of a run with the same request. Users often want to send such a request only once, and
 * don't expect the node to run for each item. Compares each item only with the previous one to save memory.
 */
export class IdenticalRequestHint {
	private items = 0;

	private previous = { request: '', count: 0 };

	/** Number of items with the same request as a neighboring item, keyed by noun and ID, e.g. "group lunch" */
	private readonly counts = new Map<string, number>();

	/** Counts an item. Ignores operations that look up a single entity, because users run these for each item. */
	addItem({ response }: Operation, { request, values }: RequestWithValues): void {
		const isLookUp = request.method === 'GET' && !('many' in response);
		// Operations with 'If It Exists' have their own hint about repeated IDs
		if (isLookUp || ('one' in response && response.existing)) return;
		this.items++;
		const text = JSON.stringify(request);
		const count = text === this.previous.request ? this.previous.count + 1 : 1;
		this.previous = { request: text, count };
		if (count === 1) return;
		const name = Object.keys(PLACES).find((each) => values[each] !== undefined) ?? '';
		const place = name === '' ? '' : `${PLACES[name]} ${valueToText(values[name])}`;
		const added = count === 2 ? 2 : 1;
		this.counts.set(place, (this.counts.get(place) ?? 0) + added);
	}

	/** Returns a hint about the items with the same request, or undefined if there are none. */
	createHintText({ action }: Operation): string | undefined {
		const counts = [...this.counts].sort((a, b) => b[1] - a[1]);
		if (counts.length === 0) return undefined;
		const texts = counts
			.slice(0, MAX_LISTED_PLACES)
			.map(
				([place, count]) => `${formatNumber(count)} times${place === '' ? '' : ` for ${place}`}`,
			);
		if (counts.length > MAX_LISTED_PLACES) texts.push('more');
		const isEveryItem = this.previous.count === this.items;
		const advice = isEveryItem
			? "If once is enough, turn on 'Execute Once' in the node's Settings."
			: 'If once is enough, put Remove Duplicates before this node.';
		return `'${action}' ran with the same values ${formatList(texts)}, because a node runs once per item. ${advice}`;
	}
}
