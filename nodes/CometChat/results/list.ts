import type { IDataObject } from 'n8n-workflow';

import type { Page } from '../transport/response';
import { asObject } from '../transport/json';
import { createShape, type Shape } from './shape';
import type { Entity, Result } from '../description/types';
import type { OperationCall } from './call';
import { toInteger } from '../values/convert';

/** Maximum items per request of a list. */
export const MAX_PER_PAGE = 1_000;

/** Maximum entries that the service is known to send of a moderation queue. */
export const MAX_QUEUE_ENTRIES = 100;

/** Number of successive pages without new items after which a list counts as stuck. */
export const MAX_STALE_PAGES = 3;

/** Advice for a stuck list. */
export const NARROW_LIST_ADVICE = "Set 'Limit', or add a filter.";

/** The ID of an item as a text; undefined for an item without an ID. */
export function getId(item: Readonly<Record<string, unknown>>, name: string): string | undefined {
	const id = item[name];
	return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined;
}

/** A list that is read page by page. Each item is returned once. */
export class List {
	/** Maximum items to return; Infinity for the whole list */
	readonly limit: number;

	/** Items to request per page */
	perPage: number;

	/** Number of successive pages, up to the last one, without new items */
	stalePages = 0;

	private readonly seen = new Set<string>();
	private readonly isSizeChosen: boolean;
	private readonly isPages: boolean;
	private readonly shape: Shape;
	private left: number;
	private isFirst = true;

	constructor(
		readonly entity: Entity,
		private readonly call: OperationCall,
	) {
		const { returnAll, limit, options, output } = call.values;
		// If 'Return All' is an expression, n8n treats 'Limit' as shown, so 'Return All' comes first
		this.limit = returnAll === true ? Infinity : toInteger('Limit', limit, 1);
		const { perPage } = asObject(options);
		this.isSizeChosen = perPage !== undefined;
		this.perPage = perPage === undefined ? Math.min(this.limit, MAX_PER_PAGE) : Number(perPage);
		this.isPages = output === 'pages';
		this.shape = createShape(call.values, entity);
		this.left = this.limit;
	}

	/** Number of different items so far. */
	get count(): number {
		return this.seen.size;
	}

	/** Whether as many items as wanted were returned. */
	get isComplete(): boolean {
		return this.left <= 0;
	}

	/** Selects the items that didn't come on an earlier page. Items without an ID count as new. */
	selectNew(items: IDataObject[]): IDataObject[] {
		const fresh = items.filter((item) => {
			const { id: name, keyOf } = this.entity;
			const id = keyOf?.(item) ?? getId(item, name) ?? `no id, ${this.seen.size}`;
			if (this.seen.has(id)) return false;
			this.seen.add(id);
			return true;
		});
		this.stalePages = fresh.length > 0 ? 0 : this.stalePages + 1;
		return fresh;
	}

	/**
	 * Returns the new items of a page up to the limit; or the page itself, if the user wants pages.
	 * After a page with few items to return, the next pages are as large as possible.
	 */
	toResults(page: Page, fresh: IDataObject[]): Result[] {
		const { isExcluded: isLeftOut = () => false } = this.entity;
		const { isPages, left, isFirst, shape } = this;
		const wanted = isPages ? fresh : fresh.filter((item) => !isLeftOut(item, this.call.values));
		if (wanted.length < fresh.length / 2 && !this.isSizeChosen) this.perPage = MAX_PER_PAGE;
		this.left -= wanted.length;
		this.isFirst = false;
		if (!isPages) return wanted.slice(0, left).map((item) => ({ entity: shape(item) }));
		// An empty page after other pages only shows that the list has ended
		return page.data.length > 0 || isFirst ? [{ entity: page }] : [];
	}
}
