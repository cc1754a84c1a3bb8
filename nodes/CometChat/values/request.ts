import type {
	IDataObject,
	INodeProperties,
	INodePropertyRouting,
	NodeParameterValue,
} from 'n8n-workflow';

import { InputError } from '../errors/inputError';
import { isNodeError } from '../errors/nodeError';
import { expandPath, findSegmentProblem } from '../transport/path';
import { isObject, setField } from '../transport/json';
import { hasExpression, type ParameterReader } from './parameterReader';
import { isShown } from './shownFields';
import type { Field, ItemRequest, Operation, Values } from '../description/types';
import { convertValue, isEmpty, toObject, type Destination } from './convert';

/** Maximum length of a text in a query or a path, in UTF-16 code units. */
const MAX_TEXT_IN_URL = 1_000;

/** Maximum length of a text in a body: CometChat's limit for a whole message. */
export const MAX_TEXT_IN_BODY = 65_536;

/** Types of fields that always have a value. */
const TYPES_WITH_DEFAULT: Array<INodeProperties['type']> = ['boolean', 'number', 'options'];

/** The request as far as its fields have been read. */
interface RequestBuilder {
	reader: ParameterReader;
	/** All fields of the operation */
	fields: readonly Field[];
	values: Record<string, unknown>;
	url: string;
	query: IDataObject;
	headers: Record<string, string>;
	body: IDataObject;
}

/**
 * Reads and checks the parameters of an item or a trigger, and builds the request from the routing of
 * their fields.
 *
 * @throws InputError for an invalid value
 */
export function readRequest(
	{ routing, fields, check }: Pick<Operation, 'routing' | 'fields' | 'check'>,
	reader: ParameterReader,
): ItemRequest {
	const { method = 'GET', url = '', body: constants } = routing?.request ?? {};
	const builder: RequestBuilder = {
		reader,
		fields,
		values: {},
		url,
		query: {},
		headers: {},
		body: {},
	};
	readFields(builder);
	applyRouting(builder, { request: { body: constants } }, undefined);
	const { values, query, headers, body } = builder;
	check?.(values);
	const hasBody = Object.keys(body).length > 0;
	const path = buildPath(builder);
	return { values, request: { method, path, query, headers, ...(hasBody ? { body } : {}) } };
}

function readFields(builder: RequestBuilder): void {
	for (const field of builder.fields) {
		if (!isShown(field, builder.values)) {
			const { reader, fields, values } = builder;
			const read = () => readRawValue(reader, field);
			checkHiddenField(field, reader.parameters[field.name], read, fields, values);
			continue;
		}
		const given = readField(builder, field);
		// A cleared field falls back to its default
		const value = given ?? (TYPES_WITH_DEFAULT.includes(field.type) ? field.default : undefined);
		builder.values[field.name] = value;
		addToRequest(builder, field, value);
	}
}

/**
 * Refuses a value in a field that is hidden for this item, since the value would silently have no
 * effect. An expression in another field can hide the field for some items only. Required fields and
 * fields with a default are allowed to have a value while hidden.
 *
 * @param siblings fields that can hide the field
 * @throws InputError
 */
function checkHiddenField(
	field: Field,
	saved: unknown,
	read: () => unknown,
	siblings: readonly Field[],
	values: Values,
): void {
	const isExtra = !field.required && !TYPES_WITH_DEFAULT.includes(field.type);
	const isUntouched = JSON.stringify(saved) === JSON.stringify(field.default);
	if (isExtra && !isEmpty(saved) && !isUntouched)
		refuseHiddenValue(field, read(), siblings, values);
}

/** @throws InputError that names the choice that shows the field, if the field has a value */
function refuseHiddenValue(
	field: Field,
	raw: unknown,
	siblings: readonly Field[],
	values: Values,
): void {
	const { displayName, type, displayOptions } = field;
	const given = type === 'resourceLocator' ? readLocator(raw) : raw;
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

/** @throws InputError that mentions the Settings tab if the field is there */
function readField(builder: RequestBuilder, field: Field): unknown {
	const { reader } = builder;
	try {
		return readValue(builder, field, readRawValue(reader, field), reader.parameters[field.name]);
	} catch (error) {
		throw field.isNodeSetting && error instanceof InputError ? error.inSettings() : error;
	}
}

/** @throws n8n's own errors, and an InputError if n8n's error doesn't name the field */
function readRawValue(
	{ read }: ParameterReader,
	{ name, displayName, default: fallback }: Field,
): unknown {
	try {
		return read(name, fallback);
	} catch (error) {
		throw withLabel(error, displayName);
	}
}

/** Adds the field's label to an expression error of n8n's that lacks a label. */
function withLabel(error: unknown, label: string): unknown {
	// n8n overflows the stack if an expression returns a circular object
	if (error instanceof RangeError) return new InputError(label, 'contains a circular reference');
	if (isNodeError(error) || !(error instanceof Error)) return error;
	return new InputError(label, `has a broken expression: ${error.message}`);
}

/** @param saved the value as saved in the workflow, with unresolved expressions */
function readValue(builder: RequestBuilder, field: Field, raw: unknown, saved: unknown): unknown {
	const given = field.type === 'resourceLocator' ? readLocator(raw) : raw;
	if (isExpressionLost(field, given, saved)) throw emptyExpressionError(builder, field);
	if (isEmpty(given)) return handleEmpty(builder, field, saved);
	if (field.type === 'collection') return readCollection(builder, field, given, saved);
	if (field.type === 'fixedCollection') return readEntries(builder, field, given, saved);
	const value = readSimpleValue(builder, field, given, saved);
	return Array.isArray(value) && value.length === 0 ? handleEmpty(builder, field, saved) : value;
}

/**
 * True if an expression returned undefined, e.g. because of a misspelled name, in a list or in a field
 * where an empty value would clear existing data.
 */
function isExpressionLost(
	{ whenEmpty = 'refuse' }: Field,
	given: unknown,
	saved: unknown,
): boolean {
	if (!hasExpression(saved)) return false;
	if (Array.isArray(given)) return given.includes(undefined);
	return given === undefined && ['unset', 'send'].includes(whenEmpty);
}

function emptyExpressionError({ fields }: RequestBuilder, field: Field): InputError {
	const { displayName, required, type } = field;
	// Outside a collection, n8n always sets these fields
	const alwaysHasValue = fields.includes(field) && TYPES_WITH_DEFAULT.includes(type);
	const canLeaveOut = !required && !alwaysHasValue;
	return new InputError(
		displayName,
		'is empty: its expression returned no value',
		`Check the expression.${canLeaveOut ? ` To leave '${displayName}' out, remove it.` : ''}`,
	);
}

/** Applies the field's `whenEmpty` to an empty value. */
function handleEmpty(builder: RequestBuilder, field: Field, saved: unknown): unknown {
	const { body } = builder;
	const { name, displayName, type, required, whenEmpty } = field;
	const refuse = whenEmpty === 'refuse' || required;
	if (hasExpression(saved) && (refuse || whenEmpty === undefined)) {
		throw emptyExpressionError(builder, field);
	}
	if (refuse) throw new InputError(displayName, 'is empty', adviseFillingIn(field));
	if (whenEmpty === 'unset') body.unset = mergeValues(body.unset ?? [], [name]) as string[];
	if (whenEmpty === 'send') return [];
	return type === 'collection' ? {} : undefined;
}

function adviseFillingIn({ displayName, type, whenEmpty }: Field): string {
	if (type === 'collection') return 'Add at least one field.';
	return `Fill in '${displayName}'${whenEmpty === 'refuse' ? ', or remove it' : ''}.`;
}

function readSimpleValue(
	{ reader }: RequestBuilder,
	field: Field,
	raw: unknown,
	saved: unknown,
): unknown {
	const value = convertValue(raw, field, getDestination(field, reader.timezone));
	return field.check ? field.check(value, field.displayName, saved) : value;
}

function getDestination({ routing }: Field, timezone: string): Destination {
	const isInBody = routing?.send?.type === 'body';
	return {
		maxLength: isInBody ? MAX_TEXT_IN_BODY : MAX_TEXT_IN_URL,
		joinsByComma: !isInBody,
		timezone,
	};
}

function readCollection(
	builder: RequestBuilder,
	field: Field,
	raw: unknown,
	saved: unknown,
): IDataObject {
	const { displayName, options = [], required, check } = field;
	const values: IDataObject = {};
	const set = toObject(displayName, raw);
	for (const [key, entry] of Object.entries(set)) {
		const inner = options.filter(isField).find(({ name }) => name === key);
		if (inner === undefined) {
			if (isEmpty(entry)) continue;
			throw new InputError(key, `is not one of the fields of '${displayName}'`);
		}
		if (!isShown(inner, builder.values)) {
			// The user added this field, so refuse even its default value
			refuseHiddenValue(inner, entry, builder.fields, builder.values);
			continue;
		}
		const value = readValue(builder, inner, entry, isObject(saved) ? saved[key] : saved);
		if (value === undefined && inner.whenEmpty !== 'unset') continue;
		values[key] = value as NodeParameterValue;
		addToRequest(builder, inner, value);
	}
	if (required && Object.keys(values).length === 0) {
		throw new InputError(displayName, 'is empty', adviseFillingIn(field));
	}
	check?.(values, displayName);
	return values;
}

/** Reads the entry of a fixed collection, or a list of entries if the collection takes several. */
function readEntries(builder: RequestBuilder, field: Field, raw: unknown, saved: unknown): unknown {
	const { displayName, options = [], required, typeOptions } = field;
	const [kind] = options.filter((option) => 'values' in option);
	const entries = [toObject(displayName, raw)[kind.name] ?? []].flat();
	if (required && entries.length === 0) {
		throw new InputError(displayName, 'is empty', adviseFillingIn(field));
	}
	const savedEntries: unknown[] = isObject(saved) ? [saved[kind.name]].flat() : [];
	const values = entries.map((entry, index) => {
		const raws = toObject(displayName, entry);
		const savedEntry = savedEntries[index];
		const values: Record<string, unknown> = {};
		for (const field of kind.values) {
			const raw = raws[field.name];
			if (!isShown(field, values)) {
				checkHiddenField(field, raw, () => raw, kind.values, values);
				continue;
			}
			const inBody: Field = { routing: { send: { type: 'body' } }, ...field };
			// An expression that returns a whole entry can omit some of its fields
			const savedValue = isObject(savedEntry) ? savedEntry[field.name] : undefined;
			const given = raw ?? (savedValue === undefined ? field.default : undefined);
			const value = readValue(builder, inBody, given, savedValue);
			if (value !== undefined) values[field.name] = value;
		}
		return values;
	});
	return typeOptions?.multipleValues ? values : values[0];
}

/** Adds a value to the request as the routing of its field and of the chosen option declares. */
function addToRequest(builder: RequestBuilder, field: Field, value: unknown): void {
	if (value === undefined) return;
	if (field.routing) applyRouting(builder, field.routing, value);
	if (field.bodies) {
		const { parameter, bodies } = field.bodies;
		Object.assign(builder.body, bodies[String(builder.values[parameter])]?.[String(value)]);
	}
	if (field.type !== 'options') return;
	for (const option of field.options ?? []) {
		if ('value' in option && String(option.value) === value && option.routing) {
			applyRouting(builder, option.routing, value);
		}
	}
}

function applyRouting(
	builder: RequestBuilder,
	{ send, request = {} }: INodePropertyRouting,
	value: unknown,
): void {
	const { values, query, headers, body } = builder;
	if (request.url !== undefined) builder.url = request.url;
	for (const [key, text] of Object.entries(request.headers ?? {})) {
		headers[key] = String(resolveExpression(values, text, value));
	}
	for (const [key, constant] of Object.entries(request.qs ?? {})) {
		// A value that the user set takes precedence over a constant of another field
		query[key] ??= constant;
	}
	for (const [key, constant] of Object.entries(Object(request.body))) {
		setField(body, key, resolveExpression(values, constant, value));
	}
	if (send?.property === undefined) return;
	const sent = send.value === undefined ? value : resolveExpression(values, send.value, value);
	if (send.type === 'body') setField(body, send.property, mergeValues(body[send.property], sent));
	else if (!isEmpty(sent)) {
		query[send.property] = Array.isArray(sent) ? sent.join(',') : (sent as string);
	}
}

/** Merges two lists or two objects, since several fields can add to the same property. */
function mergeValues(known: unknown, added: unknown): unknown {
	if (Array.isArray(known) && Array.isArray(added)) return [...new Set([...known, ...added])];
	if (!isObject(known) || !isObject(added)) return added;
	const entries = Object.entries(added).map(([key, value]) => [
		key,
		mergeValues(known[key], value),
	]);
	return { ...known, ...Object.fromEntries(entries) };
}

/**
 * Resolves the expressions that a field's routing can contain: `$value`, `$parameter.NAME`, or a list of
 * these.
 */
function resolveExpression(values: Values, text: unknown, value: unknown): unknown {
	if (Array.isArray(text))
		return text.map((entry: unknown) => resolveExpression(values, entry, value));
	if (typeof text !== 'string' || !text.startsWith('=')) return text;
	if (/^=\{\{ \$value(?:\.\w+)? \}\}$/.test(text)) return value;
	const [, name] = /^=\{\{ \$parameter\.(\w+) \}\}$/.exec(text) ?? [];
	if (name === undefined) throw new Error(`The description has an unknown expression: ${text}`);
	return values[name];
}

/** @throws InputError for a value that would change the address of the request */
function buildPath({ url, values, fields }: RequestBuilder): string {
	for (const [, name] of url.matchAll(/\{(\w+)\}/g)) {
		const problem = findSegmentProblem(String(values[name] ?? ''));
		if (problem === undefined) continue;
		const label = fields.find((field) => field.name === name)?.displayName ?? name;
		throw new InputError(label, problem, 'It would change the address of the request.');
	}
	return expandPath(url, values);
}

function isField(option: object): option is Field {
	return 'type' in option;
}

/** Returns the value of n8n's resource locator. A plain text is a locator without a mode. */
function readLocator(raw: unknown): unknown {
	return isObject(raw) && 'value' in raw ? raw.value : raw;
}
