import type { IDataObject } from 'n8n-workflow';

import { DescribedError } from '../errors/describedError';
import { countText } from '../errors/words';
import type { Page } from '../transport/response';
import { isObject } from '../transport/types';
import type { Call } from './executeItem';
import { shapeOf } from './output';
import type { Entity, Result } from './types';
import { toInteger } from './values';

/** Most items that one request of a list brings. */
export const MAX_PER_PAGE = 1_000;

/** Most items that pages may hold in one run: they are all held in memory. */
const MAX_IN_PAGES = 2_000_000;

/** Pages in a row that bring nothing new before the list is taken to be going round in circles. */
export const MAX_STALE_PAGES = 3;

/** What to do where no page can be chosen. */
export const NARROW = "Set 'Limit', or add a filter.";

/** A list that cannot be read to its end. */
export class ListError extends DescribedError {}

/** A page of a list that is read, in order. */
export interface ListPage {
	page: Page;
	/** What did not come with the pages before, in the order of the list */
	fresh: IDataObject[];
	/** How to get the rest from here, when one run cannot take it all */
	goOn: string;
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
		const { perPage } = isObject(options) ? options : {};
		this.perPage = perPage === undefined ? Math.min(this.limit, MAX_PER_PAGE) : Number(perPage);
	}

	/** Items that came so far, each counted once. */
	get count(): number {
		return this.seen.size;
	}

	/** The items that did not come before. One without an id cannot be told from others. */
	freshOf(items: IDataObject[]): IDataObject[] {
		return items.filter((item) => {
			const id = idOf(item, this.entity.id) ?? `no id, ${this.seen.size}`;
			if (this.seen.has(id)) return false;
			this.seen.add(id);
			return true;
		});
	}

	/**
	 * The items of the pages, each once, up to the limit; or the pages, as the user wants it.
	 *
	 * @throws ListError when there are more than n8n can take
	 */
	async *results(pages: AsyncIterable<ListPage>): AsyncGenerator<Result[]> {
		const { output } = this.call.values;
		yield* output === 'pages' ? this.asPages(pages) : this.asItems(pages);
	}

	private async *asItems(pages: AsyncIterable<ListPage>): AsyncGenerator<Result[]> {
		const { entity, limit } = this;
		const { values, maxItems } = this.call;
		const shape = shapeOf(values.output, values.fields, entity);
		let returned = 0;
		for await (const { fresh } of pages) {
			const kept = fresh.slice(0, Math.min(limit, maxItems) - returned);
			yield kept.map((thing) => ({ thing: shape(thing) }));
			returned += kept.length;
			if (kept.length < fresh.length && limit > maxItems) {
				throw new ListError(
					`The list has more than ${countText(maxItems)} ${entity.plural}, which is more than an AI agent can take as single items`,
					"Set 'Limit', add a filter, or set 'Output' to 'Pages'.",
				);
			}
			if (returned >= limit) return;
		}
	}

	private async *asPages(pages: AsyncIterable<ListPage>): AsyncGenerator<Result[]> {
		let before = 0;
		for await (const { page, goOn } of pages) {
			// An empty page after others only says that there is no more
			if (page.data.length > 0 || before === 0) {
				if (before >= MAX_IN_PAGES) {
					throw new ListError(
						`The list has more than ${countText(before)} ${this.entity.plural}, which is as much as one run takes`,
						goOn,
					);
				}
				yield [{ thing: page }];
			}
			before = this.count;
			if (before >= this.limit) return;
		}
	}
}
