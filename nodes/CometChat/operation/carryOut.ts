import type { IDataObject } from 'n8n-workflow';

import type { Page } from '../transport/response';
import { entityOf, pageOf } from '../transport/response';
import type { Connection } from '../transport/send';
import { send } from '../transport/send';
import type { RestRequest, RestResponse } from '../transport/types';
import { isObject } from '../transport/types';
import type { CursorPlan } from './cursorPagination';
import { eachItemByCursor, eachPageByCursor } from './cursorPagination';
import { MAX_PER_PAGE } from './lists';
import type { Outcomes } from './outcomes';
import { shapeOf } from './output';
import { eachItem, eachPage } from './pagePagination';
import type { ItemRequest } from './request';
import type { Entity, ResponseKind } from './types';
import { toInteger } from './values';

/** What carrying an operation out for one item needs. */
export interface Work extends ItemRequest {
	connection: Connection;
	itemIndex: number;
	outcomes: Outcomes;
	/** Most single items that n8n can take from this run; Infinity for any number */
	maxItems: number;
	/** Gets the items as they come: what it got is not lost when a later request fails */
	keep: (items: IDataObject[]) => void;
	/** Gets an entry of a list that failed alone, and what is to be said about it */
	keepFailed: (item: IDataObject, reason: string) => void;
}

type Kind<Key extends string> = Extract<ResponseKind, Record<Key, unknown>>;

/** Carries an operation out for one item. @throws anything that `toNodeError` can put into words */
export async function carryOut(response: ResponseKind, work: Work): Promise<void> {
	if ('one' in response) await one(response, work);
	else if ('each' in response) await inParts(response, work);
	else await new ListReader(response, work).read();
}

/** Sends a request, but not again what was done in an earlier attempt at the run. */
async function sendOnce<T>(
	{ connection, itemIndex, outcomes }: Work,
	request: RestRequest,
	read: (response: RestResponse) => T,
): Promise<T> {
	return await outcomes.once(itemIndex, request, async () => await send(connection, request, read));
}

async function one({ one: entity, ids = {} }: Kind<'one'>, work: Work): Promise<void> {
	const { values, request, keep } = work;
	const idColumns = Object.entries(ids).map(([column, name]) => [column, values[name]]);
	const shape = shapeOf(values.output, values.fields, entity, Object.fromEntries(idColumns));
	keep([shape(await sendOnce(work, request, entityOf(entity.name)))]);
}

/** Sends a list in parts; each of its entries becomes an item of its own, also one that failed. */
async function inParts({ each, of: name, batchSize }: Kind<'each'>, work: Work): Promise<void> {
	const { request, values, keep, keepFailed } = work;
	const [key] = Object.keys(request.body ?? {});
	const entries = Array.isArray(values[name]) ? [...new Set(values[name].map(String))] : [];
	const shape = shapeOf(values.output, values.fields, each);
	for (let start = 0; start < entries.length; start += batchSize) {
		const part = entries.slice(start, start + batchSize);
		const partial = { ...request, body: { ...request.body, [key]: part } };
		const sent = await sendOnce(work, partial, entityOf(each.name));
		for (const entry of part) {
			const { item, reason } = each.resultOf(sent, entry, values);
			if (reason === undefined) keep([shape(item)]);
			else keepFailed(shape(item), `${entry}: ${reason}`);
		}
	}
}

/** Reads a list, as single items or as pages. */
class ListReader {
	private readonly unwanted = new AbortController();

	private readonly entity: Entity;

	private readonly by: Kind<'many'>['by'];

	private readonly limit: number;

	private readonly options: IDataObject;

	constructor(
		{ many, by }: Kind<'many'>,
		private readonly work: Work,
	) {
		const { returnAll, limit, options } = work.values;
		this.entity = many;
		this.by = by;
		// n8n takes 'Limit' as shown when 'Return All' is an expression: only this order is right
		this.limit = returnAll === true ? Infinity : toInteger('Limit', limit, 1);
		this.options = isObject(options) ? options : {};
	}

	async read(): Promise<void> {
		try {
			await (this.by === 'page' ? this.byPage() : this.byCursor());
		} finally {
			// Pages that were fetched ahead are of no use any more
			this.unwanted.abort();
		}
	}

	private get asPages(): boolean {
		return this.work.values.output === 'pages';
	}

	private get shape() {
		const { output, fields } = this.work.values;
		return shapeOf(output, fields, this.entity);
	}

	private get perPage(): number {
		const { perPage } = this.options;
		return perPage === undefined ? Math.min(this.limit, MAX_PER_PAGE) : Number(perPage);
	}

	private plan() {
		const { plural, id } = this.entity;
		return { plural, id, limit: this.limit, maxItems: this.work.maxItems, perPage: this.perPage };
	}

	/** @param order place of a page among those of the same item */
	private async fetch(query: IDataObject, order: number): Promise<Page> {
		const { connection, itemIndex, request } = this.work;
		return await send(
			{ ...connection, order: itemIndex + order / 1e8, unwanted: this.unwanted.signal },
			{ ...request, query: { ...request.query, ...query } },
			pageOf(this.entity.plural),
		);
	}

	private async byPage(): Promise<void> {
		const { keep } = this.work;
		const plan = { ...this.plan(), firstPage: Number(this.options.page ?? 1) };
		const fetchPage = async (page: number) =>
			await this.fetch({ page, perPage: plan.perPage }, page);
		if (this.asPages) {
			await eachPage(plan, fetchPage, (page) => {
				keep([page]);
				return true;
			});
			return;
		}
		const { shape } = this;
		await eachItem(plan, fetchPage, (items) => keep(items.map(shape)));
	}

	private async byCursor(): Promise<void> {
		const { keep, values } = this.work;
		const plan: CursorPlan = this.plan();
		if (this.by === 'time') {
			plan.affix = values.order === 'oldestFirst' ? 'append' : 'prepend';
			// A service that sends the item of the cursor again needs room for another one
			if (plan.limit > 1) plan.perPage = Math.max(2, plan.perPage);
		}
		const size = plan.affix === undefined ? {} : { limit: plan.perPage };
		let pages = 0;
		const fetchPage = async (cursor: IDataObject) =>
			await this.fetch({ ...cursor, ...size }, pages++);
		if (this.asPages) {
			await eachPageByCursor(plan, fetchPage, (page) => keep([page]));
			return;
		}
		const { shape } = this;
		await eachItemByCursor(plan, fetchPage, (items) => keep(items.map(shape)));
	}
}
