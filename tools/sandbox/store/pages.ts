import type { Affix } from '../types';

/** Start, direction, and size of a page. */
export interface PageCursor {
	/** `append` returns newer entries, and `prepend` returns older entries. */
	affix: Affix;
	/** ID of the entry to start at. Defaults to the oldest entry for `append` and the newest for `prepend`. */
	id?: string;
	/** True if the page can include the entry with the ID `id`. */
	inclusive?: boolean;
	limit: number;
}

/**
 * Returns one page of entries that are sorted by ID. `hasMore` is true if more entries follow in the page's
 * direction.
 */
export function pageAt<Entry extends { id: string }>(
	entries: Entry[],
	{ affix, id, inclusive = false, limit }: PageCursor,
): { page: Entry[]; hasMore: boolean } {
	const sign = affix === 'append' ? 1 : -1;
	const rest = entries.filter((entry) => {
		const ahead = id === undefined ? 1 : sign * (Number(entry.id) - Number(id));
		return ahead > 0 || (inclusive && ahead === 0);
	});
	const page = affix === 'append' ? rest.slice(0, limit) : rest.slice(-limit);
	return { page, hasMore: rest.length > limit };
}
