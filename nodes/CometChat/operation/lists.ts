import { DescribedError } from '../errors/describedError';

/** Most items that one request of a list brings. */
export const MAX_PER_PAGE = 1_000;

/** Most items that pages may hold in one run: they are all held in memory. */
export const MAX_IN_PAGES = 2_000_000;

/** Pages in a row that bring nothing new before the list is taken to be going round in circles. */
const MAX_STALE_PAGES = 3;

/** A list that cannot be read to its end. */
export class ListError extends DescribedError {}

/** What the user wants of a list. */
export interface ListPlan {
	/** What the list holds, e.g. "groups" */
	plural: string;
	/** Name of the field that tells one item from another */
	id: string;
	/** Items per page, as asked for */
	perPage: number;
	/** Items wanted in all; Infinity for the whole list */
	limit: number;
	/** Most single items that n8n can take from this run; Infinity for any number */
	maxItems: number;
}

/** The id of an item as a text; undefined for one that cannot be told from others. */
export function idOf(item: Readonly<Record<string, unknown>>, name: string): string | undefined {
	const id = item[name];
	return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined;
}

export function count(number: number): string {
	return number.toLocaleString('en-US');
}

/** Returns each item of a list once, up to the limit. */
export class DistinctItems<T extends Readonly<Record<string, unknown>>> {
	private readonly seen = new Set<string>();

	private returned = 0;

	constructor(private readonly plan: ListPlan) {}

	/** Whether the wanted number was returned. */
	get isComplete(): boolean {
		return this.returned >= this.plan.limit;
	}

	/**
	 * @param keep gets the items of a page that did not come before
	 * @returns whether there was one
	 * @throws ListError when there are more than n8n can take
	 */
	add(items: readonly T[], keep: (items: T[]) => void): boolean {
		const { limit, maxItems, id: name } = this.plan;
		const fresh = items.filter((item) => {
			const id = idOf(item, name);
			if (id === undefined) return true;
			if (this.seen.has(id)) return false;
			this.seen.add(id);
			return true;
		});
		const room = Math.min(limit, maxItems) - this.returned;
		const kept = fresh.length > room ? fresh.slice(0, room) : fresh;
		keep(kept);
		this.returned += kept.length;
		if (fresh.length > room && limit > maxItems) throw tooManyItems(this.plan);
		return fresh.length > 0;
	}
}

export function tooManyItems({ plural, maxItems }: ListPlan): ListError {
	return new ListError(
		`The list has more than ${count(maxItems)} ${plural}, which is more than an AI agent or this version of n8n can take as single items`,
		"Set 'Limit', add a filter, or set 'Output' to 'Pages'.",
	);
}

/**
 * Looks whether a run can take another page that has something.
 *
 * @param items on the pages that came before
 * @param pages that came before
 * @param advice how to get the rest, as a whole sentence
 * @throws ListError when it cannot
 */
export function refuseMorePages(
	{ plural, maxItems }: ListPlan,
	items: number,
	pages: number,
	advice: string,
): void {
	if (items < MAX_IN_PAGES && pages < maxItems) return;
	throw new ListError(
		`The list has more than ${count(items)} ${plural} on ${count(pages)} pages, which is as much as one run takes`,
		advice,
	);
}

/** What to do where no page can be chosen. */
export const NARROW = "Set 'Limit', or add a filter.";

/** Notices a service that sends the same items again and again. */
export class RepetitionCheck {
	private stale = 0;

	constructor(private readonly plural: string) {}

	/** @throws ListError when too many pages in a row brought nothing new */
	add(isNew: boolean, number: number): void {
		this.stale = isNew ? 0 : this.stale + 1;
		if (this.stale < MAX_STALE_PAGES) return;
		throw new ListError(
			`CometChat sent the same ${this.plural} again on pages ${number - this.stale + 1} to ${number}, so the list stopped`,
			NARROW,
		);
	}
}
