import type { IDataObject } from 'n8n-workflow';

import type { Page } from '../transport/response';
import { objectOf } from '../transport/json';
import { shapeOf, variantOf } from './shape';
import type { Entity, Result } from '../description/types';
import type { Call } from './call';
import { toInteger } from '../values/convert';

/** Most items that one request of a list brings. */
export const MAX_PER_PAGE = 1_000;

/** Most entries of a queue of moderation that the service is known to send at once. */
export const MAX_OF_QUEUE = 100;

/** Pages in a row that bring nothing new before the list is taken to be going round in circles. */
export const MAX_STALE_PAGES = 3;

/** What to do where no page can be chosen. */
export const NARROW = "Set 'Limit', or add a filter.";

/** A page of a list that is read, in order. */
export interface ListPage {
	page: Page;
	/** What did not come with the pages before, in the order of the list */
	fresh: IDataObject[];
}

/** The id of an item as a text; undefined for one that cannot be told from others. */
export function idOf(item: Readonly<Record<string, unknown>>, name: string): string | undefined {
	const id = item[name];
	return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined;
}

/** What the user wants of a list, and what of it came so far. */
export class List {
	/** Items wanted in all; Infinity for the whole list */
	readonly limit: number;

	/** Items per page, as asked for */
	readonly perPage: number;

	private readonly seen = new Set<string>();

	constructor(
		readonly entity: Entity,
		private readonly call: Call,
	) {
		const { returnAll, limit, options } = call.values;
		// n8n takes 'Limit' as shown when 'Return All' is an expression: only this order is right
		this.limit = returnAll === true ? Infinity : toInteger('Limit', limit, 1);
		const { perPage } = objectOf(options);
		this.perPage = perPage === undefined ? Math.min(this.limit, MAX_PER_PAGE) : Number(perPage);
	}

	/** Items that came so far, each counted once. */
	get count(): number {
		return this.seen.size;
	}

	/** The items that did not come before. One without an id cannot be told from others. */
	freshOf(items: IDataObject[]): IDataObject[] {
		return items.filter((item) => {
			const { id: name, keyOf } = this.entity;
			const id = keyOf?.(item) ?? idOf(item, name) ?? `no id, ${this.seen.size}`;
			if (this.seen.has(id)) return false;
			this.seen.add(id);
			return true;
		});
	}

	/** The items of the pages, each once, up to the limit; or the pages, as the user wants it. */
	async *results(pages: AsyncIterable<ListPage>): AsyncGenerator<Result[]> {
		const { values } = this.call;
		const { isLeftOut } = this.entity;
		const isPages = values.output === 'pages';
		const shape = shapeOf(values.output, values.fields, variantOf(this.entity, values));
		let left = this.limit;
		let isFirst = true;
		for await (const { page, fresh } of pages) {
			// An empty page after others only says that there is no more
			if (isPages && (page.data.length > 0 || isFirst)) yield [{ thing: page }];
			const wanted = isPages ? fresh : fresh.filter((thing) => !isLeftOut?.(thing, values));
			if (!isPages) yield wanted.slice(0, left).map((thing) => ({ thing: shape(thing) }));
			left -= wanted.length;
			isFirst = false;
			if (left <= 0) return;
		}
	}
}
