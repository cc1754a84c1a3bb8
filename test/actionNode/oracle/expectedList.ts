import type { IDataObject } from 'n8n-workflow';

import type { Store } from '../../../tools/sandbox/store/store';
import type { Views } from '../../../tools/sandbox/views';
import { COLUMNS, FURTHER, getPath, OPTIONAL_COLUMNS, readersOf } from './columns';
import { choice, names, toggle, Unreadable, whole } from './kinds';
import { LISTS, Refused, type Field, type Filter, type ListCall } from './lists';

/** Maximum items per page that CometChat accepts. */
const MAX_PER_PAGE = 1000;

/** The parameters of one input item, with their expressions resolved. */
export interface Given {
	/** Resource and operation, e.g. "group list" */
	operation: string;
	/** Values by path, e.g. `filters.tags`. Undefined is the value of an expression that found nothing. */
	values: Record<string, unknown>;
	/** Maximum entries that the service sends on a numbered page, or 0 for no maximum. */
	maxPerPage: number;
	/** True if an expression sets the parameter. */
	isExpression: (path: string) => boolean;
}

/** The node's output for one input item. */
export interface Expected {
	items: IDataObject[];
	/** Parts of possible errors. The node reports one of them. */
	errors: string[];
	hints: string[];
	/** Selected fields, each with true if an item has the field. */
	found: Map<string, boolean>;
	/** Paths of the filters, each with true if it keeps some of the service's entries. */
	keepsSome: Map<string, boolean>;
}

/** Lists an operation's parameters. Parameters that show or hide others come first. */
export function fieldsOf(operation: string): Record<string, Field | Filter> {
	const { fields, selectable } = LISTS[operation];
	const shared: Record<string, [string, Pick<Field, 'read' | 'draw' | 'isRequired'>]> = {
		returnAll: ['Return All', toggle],
		output: ['Output', choice('simplified', 'raw', 'fields', 'pages', 'fields')],
		limit: ['Limit', whole(Infinity, 8)],
		fields: ['Fields', { ...names(...selectable, 'nme'), isRequired: true }],
	};
	const named = Object.entries(shared).map(([path, [label, kind]]) => [path, { label, ...kind }]);
	return { ...Object.fromEntries(named), ...fields };
}

const DEFAULTS: Record<string, unknown> = {
	...{ returnAll: false, limit: 50, output: 'simplified' },
	...{ messagesOf: 'group', queue: 'flagged' },
};

const isSet = (value: unknown) => value !== undefined && value !== false;

/** Reads all parameters. @returns the values, and the labels of parameters that the node must refuse */
function readValues({ operation, values: given, isExpression }: Given) {
	const fields = fieldsOf(operation);
	const values: ListCall['values'] = {};
	const wrong: string[] = [];
	for (const [path, { label, read, isRequired, isActor, of }] of Object.entries(fields)) {
		const isOff = ['limit', 'options.page'].includes(path) && values.returnAll === true;
		const isHidden = of !== undefined && !of.includes(String(values.messagesOf));
		// n8n drops the values of optional fields that a saved choice hides
		const isDropped = isHidden && (isRequired || !isExpression('messagesOf'));
		if (isOff || isDropped || (path === 'fields' && values.output !== 'fields')) continue;
		try {
			const value = path in given ? read(given[path]) : undefined;
			const isFixedFilter = path.startsWith('filters.') && path in given && !isExpression(path);
			const mustHave =
				isRequired || (isActor && isExpression(path)) || (isFixedFilter && !isHidden);
			if (value === undefined ? mustHave : isHidden) throw new Unreadable();
			values[path] = value ?? DEFAULTS[path];
		} catch (error) {
			if (!(error instanceof Unreadable)) throw error;
			if (!isHidden || given[path] !== undefined) wrong.push(label);
		}
	}
	for (const [path, { label, needs, excludes = [] }] of Object.entries(fields)) {
		if (!isSet(values[path])) continue;
		if (needs && !isSet(values[needs[1]])) wrong.push(needs[0]);
		if (excludes.some((other) => isSet(values[other]))) wrong.push(label);
	}
	const { 'filters.fromTimestamp': from, 'filters.toTimestamp': to, limit } = values;
	if (Number(from) >= Number(to)) wrong.push('Sent Before');
	const { 'options.page': page = 1, 'options.perPage': size } = values;
	if (Number(page) > 1 && !size && Number(limit) > MAX_PER_PAGE) wrong.push('Per Page');
	return { values, wrong };
}

/** Returns what a list operation returns for one input item, given the service's data. */
export function expectedList(store: Store, views: Views, given: Given): Expected {
	const { values, wrong } = readValues(given);
	const errors = wrong.map((label) => `'${label}' `);
	const keepsSome = new Map<string, boolean>();
	const expected: Expected = { items: [], hints: [], found: new Map(), keepsSome, errors };
	if (wrong.length > 0) return expected;
	const uid = (values.onBehalfOf as string | undefined)?.toLowerCase();
	const call: ListCall = { store, views, values, uid };
	try {
		if (uid && !store.people.has(uid)) throw new Refused('No active user has this UID');
		const found = LISTS[given.operation].find(call) as never[];
		const filters = Object.entries(fieldsOf(given.operation)).filter(
			(entry): entry is [string, Filter] => 'keeps' in entry[1] && values[entry[0]] !== undefined,
		);
		const kept = found.filter((entry) => {
			const decisions = filters.map(([path, { keeps }]) => {
				const isKept = keeps(entry, values[path] as never, call);
				keepsSome.set(path, keepsSome.get(path) || isKept);
				return isKept;
			});
			return decisions.every(Boolean);
		});
		addItems(expected, given, call, kept);
	} catch (error) {
		if (!(error instanceof Refused)) throw error;
		errors.push(error.message);
	}
	return expected;
}

function addItems(
	expected: Expected,
	{ operation, maxPerPage }: Given,
	call: ListCall,
	kept: never[],
): void {
	const { plural, pageSize, sortPage, leavesOut = () => false } = LISTS[operation];
	const { items, hints } = expected;
	const { 'options.page': page, 'options.perPage': perPage, output, ...rest } = call.values;
	const limit = rest.returnAll ? Infinity : Number(rest.limit);
	const toItem = createShape(expected, operation, call);
	let size = pageSize ?? Math.min(Number(perPage ?? limit), MAX_PER_PAGE);
	// Message lists, moderation queues and lists without a page size have maximums of their own
	const hasOwnMaximum = pageSize ?? sortPage ?? operation === 'moderation list';
	if (!hasOwnMaximum) size = Math.min(size, maxPerPage || size);
	let count = 0;
	let number = Number(page ?? 1);
	const first = (number - 1) * size;
	for (let from = first; from < kept.length && count < limit; number++) {
		const entries = kept.slice(from, from + size);
		from += entries.length;
		const sorted = (sortPage?.(entries, call) ?? entries) as never[];
		const wanted = sorted.filter((entry) => output === 'pages' || !leavesOut(entry, call));
		if (output === 'pages') items.push({ data: sorted.map(toItem) });
		else items.push(...wanted.slice(0, limit - count).map(toItem));
		count += wanted.length;
		// After a page of mostly excluded messages, the node requests larger pages
		if (sortPage && !perPage && wanted.length < entries.length / 2) size = MAX_PER_PAGE;
		if (page === undefined || output === 'pages' || count <= limit) continue;
		hints.push(
			`Limit left out ${count - limit} of the ${plural} on page ${number}. Set Limit to a multiple of Per Page.`,
		);
	}
	if (first > 0 && first >= kept.length) hints.push(`Page ${number} is beyond the last page`);
	if (output === 'pages' && items.length === 0) items.push({ data: [] });
}

/** Creates the function that converts an entry to an output item, as 'Output' says. */
function createShape({ found }: Expected, operation: string, call: ListCall) {
	const { id, toRow, addTo, columns, hides } = LISTS[operation];
	const shown = columns(call);
	const columnsShownIfFilled = OPTIONAL_COLUMNS.get(shown) ?? '';
	const readers = readersOf(
		call.values.output === 'fields'
			? `${columnsShownIfFilled} ${FURTHER.get(shown) ?? ''} ${shown}`.trim()
			: shown,
	);
	const isQueue = operation === 'moderation list';
	const known = isQueue
		? [COLUMNS.flagged, COLUMNS.blocked, COLUMNS.reviewed].flatMap((each) => [
				...readersOf(`${each} ${columnsShownIfFilled}`).keys(),
			])
		: [...readers.keys()];
	const { output, fields } = call.values;
	return (entry: never): IDataObject => {
		const row = toRow(entry, call);
		if (output === 'raw' || output === 'pages') return row as IDataObject;
		const all = { ...row, ...addTo?.(row as IDataObject, call) };
		const item: IDataObject = {};
		if (output === 'simplified') {
			const hidden = hides?.(call) ?? [];
			for (const [name, read] of readers)
				if (!hidden.includes(name)) item[name] = read(all) as string;
			for (const [name, read] of columnsShownIfFilled === ''
				? []
				: readersOf(columnsShownIfFilled)) {
				const value = read(all);
				if (value !== null) item[name] = value;
			}
			return item;
		}
		const selected = String(fields)
			.split(',')
			.map((name) => name.trim());
		for (const path of selected.includes(id) ? selected : [id, ...selected]) {
			const value = readers.has(path) ? readers.get(path)?.(all) : getPath(row, path);
			found.set(path, found.get(path) || known.includes(path) || value !== undefined);
			const keys = path.split('.');
			const holder = keys.slice(0, -1).reduce((inner, key) => Object((inner[key] ??= {})), item);
			holder[keys.at(-1) ?? ''] = value ?? null;
		}
		return item;
	};
}
