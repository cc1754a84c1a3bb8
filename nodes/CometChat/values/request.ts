import type {
	IDataObject,
	INodeProperties,
	INodePropertyRouting,
	NodeParameterValue,
} from 'n8n-workflow';

import { InputError } from '../errors/inputError';
import { isNodeError } from '../errors/nodeError';
import { expandPath, segmentProblem } from '../transport/path';
import { isObject, setAt } from '../transport/json';
import { hasExpression, type Source } from './source';
import { isShown } from './shownFields';
import type { Field, ItemRequest, Operation, Values } from '../description/types';
import { convert, isEmpty, toObject, type Destination } from './convert';

/** Longest text in a query or a path, in UTF-16 code units. */
const MAX_IN_ADDRESS = 1_000;

/** Longest text in a body: the service's own limit for a whole message. */
export const MAX_IN_BODY = 65_536;

/** Types of fields that always have a value. */
const HAS_DEFAULT: Array<INodeProperties['type']> = ['boolean', 'number', 'options'];

/** What the fields that were read so far say. */
interface Draft {
	source: Source;
	/** All of the operation */
	fields: readonly Field[];
	values: Record<string, unknown>;
	url: string;
	query: IDataObject;
	headers: Record<string, string>;
	body: IDataObject;
}

/**
 * Reads the parameters of an item or a trigger: the one reader of the description.
 *
 * @throws InputError for a value that must not be sent
 */
export function readRequest(
	{ routing, fields, check }: Pick<Operation, 'routing' | 'fields' | 'check'>,
	source: Source,
): ItemRequest {
	const { method = 'GET', url = '', body: constants } = routing?.request ?? {};
	const draft: Draft = { source, fields, values: {}, url, query: {}, headers: {}, body: {} };
	readFields(draft);
	follow(draft, { request: { body: constants } }, undefined);
	const { values, query, headers, body } = draft;
	check?.(values);
	const hasBody = Object.keys(body).length > 0;
	const path = pathOf(draft);
	return { values, request: { method, path, query, headers, ...(hasBody ? { body } : {}) } };
}

function readFields(draft: Draft): void {
	for (const field of draft.fields) {
		if (!isShown(field, draft.values)) {
			const { source, fields, values } = draft;
			const read = () => rawValueOf(source, field);
			refuseHidden(field, source.parameters[field.name], read, fields, values);
			continue;
		}
		const given = givenValueOf(draft, field);
		// A choice that was cleared is the one that a new node has
		const value = given ?? (HAS_DEFAULT.includes(field.type) ? field.default : undefined);
		draft.values[field.name] = value;
		place(draft, field, value);
	}
}

/**
 * Refuses a value of a field that is hidden for this item: it would have no effect, and the user would
 * not know. n8n itself leaves out what is hidden for all items; only an expression can hide it for one.
 * A field with a default always has a value, and one that is required has to be filled in for the items
 * that have it.
 *
 * @param siblings fields that can hide it
 * @throws InputError
 */
function refuseHidden(
	field: Field,
	saved: unknown,
	read: () => unknown,
	siblings: readonly Field[],
	values: Values,
): void {
	const isExtra = !field.required && !HAS_DEFAULT.includes(field.type);
	const isUntouched = JSON.stringify(saved) === JSON.stringify(field.default);
	if (isExtra && !isEmpty(saved) && !isUntouched) refuse(field, read(), siblings, values);
}

/** @throws InputError that says which choice the field needs, when it has a value */
function refuse(field: Field, raw: unknown, siblings: readonly Field[], values: Values): void {
	const { displayName, type, displayOptions } = field;
	const given = type === 'resourceLocator' ? located(raw) : raw;
	if (isEmpty(given) || (isObject(given) && Object.keys(given).length === 0)) return;
	for (const [path, allowed = []] of Object.entries(displayOptions?.show ?? {})) {
		const chooser = siblings.find(({ name }) => name === path.replace(/^\//, ''));
		if (chooser === undefined || allowed.includes(values[chooser.name] as string)) continue;
		const names = (chooser.options ?? []).flatMap((option) =>
			'value' in option && allowed.includes(option.value) ? option.name : [],
		);
		throw new InputError(
			displayName,
			`needs '${chooser.displayName}' → ${names.join(' or ')}`,
			`Remove '${displayName}', or change '${chooser.displayName}'.`,
		);
	}
}

/** @throws InputError that says where the field is, when it is not among the parameters */
function givenValueOf(draft: Draft, field: Field): unknown {
	const { source } = draft;
	try {
		return valueOf(draft, field, rawValueOf(source, field), source.parameters[field.name]);
	} catch (error) {
		throw field.isNodeSetting && error instanceof InputError ? error.inSettings() : error;
	}
}

/** @throws n8n's own errors, and an InputError for what n8n itself stumbles over */
function rawValueOf({ read }: Source, { name, displayName, default: fallback }: Field): unknown {
	try {
		return read(name, fallback);
	} catch (error) {
		throw withLabel(error, displayName);
	}
}

/** What n8n says of an expression without naming the field, with the field's label. */
function withLabel(error: unknown, label: string): unknown {
	// n8n does not expect an expression to return an object that holds itself
	if (error instanceof RangeError) return new InputError(label, 'is an object without end');
	if (isNodeError(error) || !(error instanceof Error)) return error;
	return new InputError(label, `has a broken expression: ${error.message}`);
}

/** @param saved the value as it was saved, perhaps with expressions */
function valueOf(draft: Draft, field: Field, raw: unknown, saved: unknown): unknown {
	const given = field.type === 'resourceLocator' ? located(raw) : raw;
	if (isGone(field, given, saved)) throw emptyExpression(field);
	if (isEmpty(given)) return emptyValue(draft, field, saved);
	if (field.type === 'collection') return collectionOf(draft, field, given, saved);
	if (field.type === 'fixedCollection') return entriesOf(draft, field, given, saved);
	const value = simpleValue(draft, field, given);
	return Array.isArray(value) && value.length === 0 ? emptyValue(draft, field, saved) : value;
}

/**
 * Whether an expression gave nothing, as one with a misspelt name does, where nothing would clear what
 * is there; or an expression in a list did.
 */
function isGone({ whenEmpty = 'refuse' }: Field, given: unknown, saved: unknown): boolean {
	if (!hasExpression(saved)) return false;
	if (Array.isArray(given)) return given.includes(undefined);
	return given === undefined && ['unset', 'send'].includes(whenEmpty);
}

function emptyExpression({ displayName, required }: Field): InputError {
	return new InputError(
		displayName,
		'is empty: its expression gave nothing',
		`Check the expression.${required ? '' : ` To leave '${displayName}' out, remove it.`}`,
	);
}

/** What is made of nothing: see `whenEmpty`. */
function emptyValue({ body }: Draft, field: Field, saved: unknown): unknown {
	const { name, displayName, type, required, whenEmpty } = field;
	const refuse = whenEmpty === 'refuse' || required;
	if (hasExpression(saved) && (refuse || whenEmpty === undefined)) {
		throw emptyExpression(field);
	}
	if (refuse) throw new InputError(displayName, 'is empty', fillIn(field));
	if (whenEmpty === 'unset') body.unset = union(body.unset ?? [], [name]) as string[];
	if (whenEmpty === 'send') return [];
	return type === 'collection' ? {} : undefined;
}

function fillIn({ displayName, type, whenEmpty }: Field): string {
	if (type === 'collection') return 'Add at least one field.';
	return `Fill in '${displayName}'${whenEmpty === 'refuse' ? ', or remove it' : ''}.`;
}

function simpleValue({ source }: Draft, field: Field, raw: unknown): unknown {
	const value = convert(raw, field, destinationOf(field, source.timezone));
	return field.check ? field.check(value, field.displayName) : value;
}

function destinationOf({ routing }: Field, timezone: string): Destination {
	const isInBody = routing?.send?.type === 'body';
	return {
		maxLength: isInBody ? MAX_IN_BODY : MAX_IN_ADDRESS,
		joinsByComma: !isInBody,
		timezone,
	};
}

function collectionOf(draft: Draft, field: Field, raw: unknown, saved: unknown): IDataObject {
	const { displayName, options = [], required, check } = field;
	const values: IDataObject = {};
	const set = toObject(displayName, raw);
	for (const [key, entry] of Object.entries(set)) {
		const inner = options.filter(isField).find(({ name }) => name === key);
		if (inner === undefined) {
			if (isEmpty(entry)) continue;
			throw new InputError(key, `is not one of the fields of '${displayName}'`);
		}
		if (!isShown(inner, draft.values)) {
			// What was added is meant, also when it is what it began with
			refuse(inner, entry, draft.fields, draft.values);
			continue;
		}
		const value = valueOf(draft, inner, entry, isObject(saved) ? saved[key] : saved);
		if (value === undefined && inner.whenEmpty !== 'unset') continue;
		values[key] = value as NodeParameterValue;
		place(draft, inner, value);
	}
	if (required && Object.keys(values).length === 0) {
		throw new InputError(displayName, 'is empty', fillIn(field));
	}
	check?.(values, displayName);
	return values;
}

/** The entry of a fixed collection of one kind, or its entries, each as an object. */
function entriesOf(draft: Draft, field: Field, raw: unknown, saved: unknown): unknown {
	const { displayName, options = [], required, typeOptions } = field;
	const [kind] = options.filter((option) => 'values' in option);
	const entries = [toObject(displayName, raw)[kind.name] ?? []].flat();
	if (required && entries.length === 0) {
		throw new InputError(displayName, 'is empty', fillIn(field));
	}
	const savedEntries: unknown[] = isObject(saved) ? [saved[kind.name]].flat() : [];
	const values = entries.map((entry, index) => {
		const raws = toObject(displayName, entry);
		const savedEntry = savedEntries[index];
		const values: Record<string, unknown> = {};
		for (const field of kind.values) {
			const raw = raws[field.name];
			if (!isShown(field, values)) {
				refuseHidden(field, raw, () => raw, kind.values, values);
				continue;
			}
			const inBody: Field = { routing: { send: { type: 'body' } }, ...field };
			// One expression for the whole entry may leave fields of it out
			const savedValue = isObject(savedEntry) ? savedEntry[field.name] : undefined;
			const given = raw ?? (savedValue === undefined ? field.default : undefined);
			const value = valueOf(draft, inBody, given, savedValue);
			if (value !== undefined) values[field.name] = value;
		}
		return values;
	});
	return typeOptions?.multipleValues ? values : values[0];
}

/** Puts a value where the field, and the option that was chosen, say. */
function place(draft: Draft, field: Field, value: unknown): void {
	if (value === undefined) return;
	if (field.routing) follow(draft, field.routing, value);
	if (field.type !== 'options') return;
	for (const option of field.options ?? []) {
		if ('value' in option && String(option.value) === value && option.routing) {
			follow(draft, option.routing, value);
		}
	}
}

function follow(draft: Draft, { send, request = {} }: INodePropertyRouting, value: unknown): void {
	const { values, query, headers, body } = draft;
	if (request.url !== undefined) draft.url = request.url;
	for (const [key, text] of Object.entries(request.headers ?? {})) {
		headers[key] = String(resolved(values, text, value));
	}
	for (const [key, constant] of Object.entries(request.qs ?? {})) {
		// What the user sets goes before what comes along with another field
		query[key] ??= constant;
	}
	for (const [key, constant] of Object.entries(Object(request.body))) {
		setAt(body, key, resolved(values, constant, value));
	}
	if (send?.property === undefined) return;
	const sent = send.value === undefined ? value : resolved(values, send.value, value);
	if (send.type === 'body') setAt(body, send.property, union(body[send.property], sent));
	else if (!isEmpty(sent)) {
		query[send.property] = Array.isArray(sent) ? sent.join(',') : (sent as string);
	}
}

/** Several fields may add to one list, or to one object. */
function union(known: unknown, added: unknown): unknown {
	if (Array.isArray(known) && Array.isArray(added)) return [...new Set([...known, ...added])];
	if (!isObject(known) || !isObject(added)) return added;
	const entries = Object.entries(added).map(([key, value]) => [key, union(known[key], value)]);
	return { ...known, ...Object.fromEntries(entries) };
}

/** The few expressions that a description may hold: the field's value, or that of another one; or a list of these. */
function resolved(values: Values, text: unknown, value: unknown): unknown {
	if (Array.isArray(text)) return text.map((entry: unknown) => resolved(values, entry, value));
	if (typeof text !== 'string' || !text.startsWith('=')) return text;
	if (/^=\{\{ \$value(?:\.\w+)? \}\}$/.test(text)) return value;
	const [, name] = /^=\{\{ \$parameter\.(\w+) \}\}$/.exec(text) ?? [];
	if (name === undefined) throw new Error(`The description has an unknown expression: ${text}`);
	return values[name];
}

function pathOf({ url, values, fields }: Draft): string {
	return expandPath(url, (name) => {
		const text = String(values[name] ?? '');
		const problem = segmentProblem(text);
		if (problem === undefined) return text;
		const label = fields.find((field) => field.name === name)?.displayName ?? name;
		throw new InputError(label, problem, 'It would change the address of the request.');
	});
}

function isField(option: object): option is Field {
	return 'type' in option;
}

/** The value of n8n's resource locator; a plain text is one that was saved, or given, without a mode. */
function located(raw: unknown): unknown {
	return isObject(raw) && 'value' in raw ? raw.value : raw;
}
