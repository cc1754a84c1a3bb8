import type { IDataObject } from 'n8n-workflow';

import type { Store } from '../../../tools/sandbox/store/store';
import type { Views } from '../../../tools/sandbox/views';
import { queueColumns, type ListCall } from './columns';
import { LISTS, Refused, type Field } from './lists';
import { choice, texts, toggle, Unreadable, whole } from './readers';

/** Maximum items per page that CometChat accepts. */
const MAX_PER_PAGE = 1000;

/** The parameters of one input item, with their expressions resolved. */
export interface Given {
	/** Resource and operation, e.g. "group list" */
	operation: string;
	/** Values by path, e.g. `filters.tags`. A path with the value undefined has an expression that found nothing. */
	values: Record<string, unknown>;
	/** True if an expression sets the parameter. */
	isExpression: (path: string) => boolean;
}

/** The node's output for one input item. */
export interface Expected {
	items: IDataObject[];
	/** Starts or parts of possible errors. The node reports one of them. */
	errors: string[];
	hints: string[];
	/** Selected fields, each with true if an item has the field. */
	found: Map<string, boolean>;
}

const SHARED: Record<string, Field> = {
	returnAll: { label: 'Return All', read: toggle },
	limit: { label: 'Limit', read: whole() },
	output: { label: 'Output', read: choice('simplified', 'raw', 'fields', 'pages') },
	fields: { label: 'Fields', read: texts, isRequired: true },
};

const DEFAULTS = {
	...{ returnAll: false, limit: 50, output: 'simplified' },
	...{ messagesOf: 'group', order: 'newestFirst', queue: 'flagged' },
};

const isSet = (value: unknown) => value !== undefined && value !== false;

/** Reads all parameters. @returns the values, and the labels of the parameters that the node must refuse */
function readValues({ operation, values: given, isExpression }: Given) {
	const { fields: own, filters = {} } = LISTS[operation];
	const ofFilters = Object.entries(filters).map(([name, filter]) => [`filters.${name}`, filter]);
	const fields: Record<string, Field> = { ...own, ...SHARED, ...Object.fromEntries(ofFilters) };
	const values: ListCall['values'] = {};
	const wrong: string[] = [];
	const read = (path: string) => {
		const { label, read: convert, isRequired, isActor, of } = fields[path];
		const isUnused = {
			limit: values.returnAll,
			'options.page': values.returnAll,
			fields: values.output !== 'fields',
		}[path];
		if (isUnused) return;
		const isHidden = of !== undefined && !of.includes(String(values.messagesOf));
		// n8n drops the values of fields that a saved choice hides
		if (isHidden && (isRequired || !isExpression('messagesOf'))) return;
		try {
			const value =
				path in given || isRequired
					? convert(given[path] ?? (path in given ? given[path] : null))
					: undefined;
			const isEmpty = value === undefined || (Array.isArray(value) && value.length === 0);
			if (isEmpty && (isRequired || (isActor && isExpression(path)))) throw new Unreadable();
			if (!isEmpty && isHidden) throw new Unreadable();
			values[path] = isEmpty ? DEFAULTS[path as keyof typeof DEFAULTS] : value;
		} catch (error) {
			if (!(error instanceof Unreadable)) throw error;
			// A hidden field's value only matters if it isn't empty
			if (!isHidden || ![undefined, null, ''].includes(given[path] as string)) wrong.push(label);
		}
	};
	const paths = Object.keys(fields);
	const first = ['messagesOf', 'returnAll', 'output'].filter((path) => paths.includes(path));
	for (const path of new Set([...first, ...paths])) read(path);
	for (const [path, { label, needs, excludes = '' }] of Object.entries(fields)) {
		if (!isSet(values[path])) continue;
		if (needs && !isSet(values[needs[1]])) wrong.push(needs[0]);
		if (isSet(values[excludes])) wrong.push(label);
	}
	const { 'filters.fromTimestamp': from, 'filters.toTimestamp': to, limit } = values;
	if (Number(from) >= Number(to)) wrong.push('Sent Before');
	const { 'options.page': page = 1, 'options.perPage': size } = values;
	if (Number(page) > 1 && !size && Number(limit) > MAX_PER_PAGE) wrong.push('Per Page');
	return { values, wrong };
}

/** Reads the field at a path such as `data.attachments.0.url`. */
const getPath = (row: unknown, path: string): unknown =>
	path
		.split('.')
		.reduce(
			(inner, key) => (Object.hasOwn(Object(inner), key) ? inner[key] : undefined),
			Object(row),
		);

/** Returns what a list operation returns for one input item, given the sandbox's data. */
export function expectedList(store: Store, views: Views, given: Given): Expected {
	const list = LISTS[given.operation];
	const { values, wrong } = readValues(given);
	const expected: Expected = {
		items: [],
		hints: [],
		found: new Map(),
		errors: wrong.map((label) => `'${label}' `),
	};
	if (wrong.length > 0) return expected;
	const uid = (values.onBehalfOf as string | undefined)?.toLowerCase();
	const call: ListCall = { store, values, uid };
	try {
		if (uid !== undefined && !store.people.has(uid))
			throw new Refused('No active user has this UID');
		const found = list.find(call) as never[];
		const filters = Object.entries(list.filters ?? {});
		const kept = found.filter((entry) =>
			filters.every(([name, { keeps }]) => {
				const value = values[`filters.${name}`];
				return value === undefined || keeps(entry, value as never, call);
			}),
		);
		addItems(expected, given.operation, call, views, kept);
	} catch (error) {
		if (!(error instanceof Refused)) throw error;
		expected.errors.push(error.message);
	}
	return expected;
}

function addItems(
	expected: Expected,
	operation: string,
	call: ListCall,
	views: Views,
	kept: never[],
): void {
	const {
		plural,
		raw,
		maxPerPage,
		sortPage,
		sortSent,
		leavesOut,
		columns: getColumns,
		hides,
	} = LISTS[operation];
	const { items, hints, found } = expected;
	const { values } = call;
	const { 'options.page': page, 'options.perPage': perPage, output } = values;
	const limit = values.returnAll ? Infinity : Number(values.limit);
	const columns = getColumns(call);
	const shown = Object.keys(columns).filter((name) => !hides?.(call).includes(name));
	const read = (entry: never, name: string) => columns[name](entry, call) ?? null;
	const known =
		operation === 'moderation list' ? Object.assign({}, ...Object.values(queueColumns)) : columns;
	const show = (entry: never): IDataObject => {
		const row = raw(entry, call, views) as IDataObject;
		if (output === 'raw' || output === 'pages') return row;
		const item: IDataObject = {};
		if (output === 'simplified') {
			for (const name of shown) item[name] = read(entry, name) as string;
			return item;
		}
		for (const path of values.fields as string[]) {
			const value = path in columns ? read(entry, path) : getPath(row, path);
			found.set(path, found.get(path) || path in known || value !== undefined);
			const keys = path.split('.');
			const last = keys.pop() ?? '';
			const holder = keys.reduce((inner, key) => Object((inner[key] ??= {})), item);
			holder[last] = (value ?? null) as string;
		}
		return item;
	};
	let size = Math.min(Number(perPage ?? limit), maxPerPage ?? MAX_PER_PAGE);
	if (operation === 'message listReactions') size = maxPerPage ?? size;
	const first = Number(page ?? 1);
	const pages: never[][] = [];
	let count = 0;
	for (let from = (first - 1) * size; from < kept.length && count < limit;) {
		const entries = kept.slice(from, from + size);
		from += entries.length;
		pages.push(entries);
		const wanted =
			output === 'pages'
				? entries
				: ((sortPage?.(entries, call) ?? entries) as never[]).filter(
						(entry) => !leavesOut?.(entry, call),
					);
		if (output !== 'pages') items.push(...wanted.slice(0, limit - count).map(show));
		count += wanted.length;
		// After a page with mostly excluded messages, the node requests larger pages
		if (sortPage && !perPage && wanted.length < entries.length / 2) size = MAX_PER_PAGE;
		const number = first + pages.length - 1;
		if (page !== undefined && output !== 'pages' && count > limit) {
			hints.push(
				`Limit left out ${count - limit} ${plural} of page ${number}. Set Limit to at least Per Page.`,
			);
		}
	}
	if (first > 1 && pages.length === 0) hints.push(`Page ${first} is beyond the last page`);
	if (output !== 'pages') return;
	for (const entries of pages.length > 0 ? pages : [[]])
		items.push({ data: ((sortSent?.(entries) ?? entries) as never[]).map(show) });
}
