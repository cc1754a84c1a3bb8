import type { IDataObject } from 'n8n-workflow';

import { pageReader, type Page } from '../transport/response';
import { asObject } from '../transport/json';
import { createShape, type Shape } from './shape';
import type { Entity, Result } from '../description/types';
import type { OperationCall } from './call';
import { toInteger } from '../values/convert';

/** Maximum items per list request. */
export const MAX_PER_PAGE = 1_000;

/** Maximum entries per moderation queue response. */
export const MAX_QUEUE_ENTRIES = 100;

/** Number of successive pages without new items after which a list stops with an error. */
export const MAX_STALE_PAGES = 3;

/** Advice for an error about pagination that stopped making progress. */
export const NARROW_LIST_ADVICE = "Set 'Limit', or add a filter.";

/** Returns an item's ID as a string, or undefined if the item has no ID. */
export function getId(item: Readonly<Record<string, unknown>>, name: string): string | undefined {
	const id = item[name];
	return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined;
}

/** A list that is read page by page. Each item is returned once. */
export class List {
	/** Maximum items to return, or Infinity for the whole list */
	readonly limit: number;

	/** Items to request per page */
	perPage: number;

	/** Number of consecutive pages without new items, up to the latest page */
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
		// If 'Return All' is an expression, n8n shows 'Limit' too, so 'Return All' takes precedence
		this.limit = returnAll === true ? Infinity : toInteger('Limit', limit, 1);
		const { perPage } = asObject(options);
		this.isSizeChosen = perPage !== undefined;
		this.perPage = perPage === undefined ? Math.min(this.limit, MAX_PER_PAGE) : Number(perPage);
		this.isPages = output === 'pages';
		this.shape = createShape(call.values, entity);
		this.left = this.limit;
	}

	/** Number of distinct items so far. */
	get count(): number {
		return this.seen.size;
	}

	/** True if the limit has been reached. */
	get isComplete(): boolean {
		return this.left <= 0;
	}

	/**
	 * Fetches a page.
	 *
	 * @param query start and size of the page, as query parameters
	 * @param part number of requests already sent for this item
	 */
	async fetchPage(query: IDataObject, part: number): Promise<Page> {
		const { request, client } = this.call;
		const read = pageReader(this.entity.plural);
		return await client.send({ ...request, query: { ...request.query, ...query } }, read, part);
	}

	/** Selects the items that no earlier page contained. Items without an ID count as new. */
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
	 * Returns a page's new items up to the limit, or the page itself if 'Output' is 'Pages'. If most items on
	 * the page are excluded, the following pages are requested with the maximum size.
	 */
	toResults(page: Page, fresh: IDataObject[]): Result[] {
		const { isExcluded = () => false } = this.entity;
		const { isPages, left, isFirst, shape } = this;
		const wanted = isPages ? fresh : fresh.filter((item) => !isExcluded(item, this.call.values));
		if (wanted.length < fresh.length / 2 && !this.isSizeChosen) this.perPage = MAX_PER_PAGE;
		this.left -= wanted.length;
		this.isFirst = false;
		if (!isPages) return wanted.slice(0, left).map((item) => ({ entity: shape(item) }));
		// An empty page after the first page only marks the end of the list
		return page.data.length > 0 || isFirst ? [{ entity: page }] : [];
	}
}
