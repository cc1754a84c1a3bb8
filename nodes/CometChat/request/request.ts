import type { IDataObject, INodeProperties, INodePropertyRouting } from 'n8n-workflow';

import { InputError } from '../errors/inputError';
import { isNodeError } from '../errors/nodeError';
import { asText, asObject, isEmptyObject, isObject, mergeObjects, setField } from '../helpers/json';
import { expandPath, findSegmentProblem } from '../transport/path';
import {
	DEFAULT_MAX_ATTEMPTS,
	DEFAULT_MAX_WAIT_SECONDS,
	DEFAULT_TIMEOUT_MS,
	type RequestPolicy,
} from '../transport/retry';
import { hasExpression, type ParameterReader } from './parameterReader';
import type { Field, ItemRequest, Operation, Values } from '../types';
import { convertValue, toObject } from './convert';
import { joinList } from './lists';
import { checkRelations, getLabel, isField, listFields } from './relations';
import { isEmpty } from './texts';

/** True for a field type that always has a value as a top-level field (not inside a collection). */
const hasDefault = ({ type }: Field) => ['boolean', 'number', 'options'].includes(type);

/** Request under construction, while its fields are being read. */
interface RequestBuilder {
	reader: ParameterReader;
	/** The operation's top-level fields, without the fields inside collections */
	fields: readonly Field[];
	values: Record<string, unknown>;
	url: string;
	query: IDataObject;
	headers: Record<string, string>;
	body: IDataObject;
}

/**
 * Reads and checks the parameters of an item or a trigger, and builds the request from the fields' `routing`.
 *
 * @param derived values of the operation's derived fields
 * @throws InputError for an invalid value
 */
export function readRequest(
	operation: Pick<Operation, 'routing' | 'fields' | 'derived' | 'check' | 'adjustBody'>,
	reader: ParameterReader,
	derived: Values = {},
): ItemRequest {
	const { routing, fields, check, adjustBody } = operation;
	const { method = 'GET', url = '', ...constants } = routing?.request ?? {};
	const builder: RequestBuilder = {
		reader,
		fields,
		values: {},
		url,
		query: {},
		headers: {},
		body: {},
	};
	for (const field of operation.derived?.fields ?? []) {
		if (derived[field.name] === undefined) continue;
		const value = readValue(builder, field, derived[field.name], undefined);
		builder.values[field.name] = value;
		addToRequest(builder, field, value);
	}
	readFields(builder);
	applyRouting(builder, { request: constants }, undefined);
	const { values, query, headers } = builder;
	checkRelations(fields, values);
	checkCleared(builder);
	check?.(values);
	const body = adjustBody?.(builder.body, values) ?? builder.body;
	const hasBody = Object.keys(body).length > 0;
	const path = buildPath(builder);
	return { values, request: { method, path, query, headers, ...(hasBody ? { body } : {}) } };
}

function readFields(builder: RequestBuilder): void {
	const { reader, fields, values } = builder;
	for (const field of fields) {
		if (!isShown(field, values)) {
			// n8n keeps the value of a hidden field if the field is required or has a default
			if (!field.required && !hasDefault(field)) {
				refuseHiddenValue(builder, field, readRawValue(reader, field));
			}
			continue;
		}
		const source = findSource(builder, field);
		const saved = reader.readSaved(source.name);
		const given = readValue(builder, field, readRawValue(reader, source), saved);
		// A cleared field falls back to its default
		const value = given ?? (hasDefault(field) ? field.default : undefined);
		values[field.name] = value;
		addToRequest(builder, field, value);
	}
}

/** Returns the field that supplies a field's value: the field itself, or its alternative. */
function findSource({ reader, fields }: RequestBuilder, field: Field): Field {
	if (field.alternative === undefined) return field;
	const alternative = fields.find(({ name }) => name === field.alternative);
	const choices = Object.keys(field.displayOptions?.show ?? {});
	const isUsed =
		alternative !== undefined &&
		isEmpty(readLocator(reader.readSaved(field.name))) &&
		[alternative.name, ...choices].every((name) => hasExpression(reader.readSaved(name)));
	return isUsed ? alternative : field;
}

/**
 * True if n8n shows a field. Display conditions refer to earlier fields. Conditions on the resource and
 * operation are ignored, because `values` doesn't contain these parameters.
 */
function isShown({ displayOptions }: Field, values: Values): boolean {
	const { show = {}, hide = {} } = displayOptions ?? {};
	const matches = ([path, allowed]: [string, unknown]) =>
		Array.isArray(allowed) && allowed.includes(values[toName(path)]);
	return (
		Object.entries(show).every((each) => !(toName(each[0]) in values) || matches(each)) &&
		!Object.entries(hide).some(matches)
	);
}

/**
 * Returns the field name in a display condition. A leading slash marks a top-level field (not inside a
 * collection).
 */
const toName = (path: string) => path.replace(/^\//, '');

/** Returns the labels of all fields, keyed by name, including fields in collections. */
export const getFieldLabels = (fields: readonly Field[]): Record<string, string> =>
	Object.fromEntries(listFields(fields).map(({ name, displayName }) => [name, displayName]));

/**
 * Rejects a value in a field that is hidden for this item, since the value would silently have no effect. An
 * expression in another field can hide the field for only some items.
 *
 * @throws InputError that names the choice that shows the field
 */
function refuseHiddenValue({ fields, values }: RequestBuilder, field: Field, raw: unknown): void {
	const { displayName, type, displayOptions } = field;
	const given = type === 'resourceLocator' ? readLocator(raw) : raw;
	if (isEmpty(given) || isEmptyObject(given)) return;
	for (const [path, allowed = []] of Object.entries(displayOptions?.show ?? {})) {
		const chooser = fields.find(({ name }) => name === toName(path));
		if (chooser?.ignoresHidden) continue;
		// A switch that hides a field turns the field off
		if (chooser?.type !== 'options' || allowed.includes(values[chooser.name] as string)) continue;
		const names = (chooser.options ?? []).flatMap((option) =>
			'value' in option && allowed.includes(option.value) ? option.name : [],
		);
		throw new InputError(
			displayName,
			`requires '${chooser.displayName}' to be ${names.join(' or ')}`,
			`Clear '${displayName}', or change '${chooser.displayName}'.`,
		);
	}
}

/** @throws n8n's own error, or an InputError if n8n's error doesn't name the field */
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

function withLabel(error: unknown, label: string): unknown {
	if (isNodeError(error) || !(error instanceof Error)) return error;
	return new InputError(label, `has a broken expression: ${error.message}`);
}

/**
 * Reads a field's value and adds it to the request.
 *
 * @param raw the value, with expressions resolved
 * @param saved the value as the user saved it, for advice. Undefined in a collection that is one expression.
 */
function readValue(builder: RequestBuilder, field: Field, raw: unknown, saved: unknown): unknown {
	const isLocator = field.type === 'resourceLocator';
	try {
		return convertGiven(builder, field, isLocator ? readLocator(raw) : raw, saved);
	} catch (error) {
		throw withExpression(error, builder.reader, field, isLocator ? readLocator(saved) : saved);
	}
}

/** Returns an error with advice for the user's own expression, or unchanged if there is no such advice. */
function withExpression(
	error: unknown,
	{ isTool }: ParameterReader,
	{ type }: Field,
	saved: unknown,
): unknown {
	const isExpression = typeof saved === 'string' && hasExpression(saved);
	// An AI model doesn't see the expression that contains its value
	if (!(error instanceof InputError) || isTool || !isExpression) return error;
	return ['collection', 'fixedCollection'].includes(type) ? error : error.withExpression(saved);
}

function convertGiven(
	builder: RequestBuilder,
	field: Field,
	given: unknown,
	saved: unknown,
): unknown {
	// An empty list isn't an empty object, so it must not clear one
	const isLeftOut = isEmpty(given) && !(field.type === 'json' && Array.isArray(given));
	const isIncomplete = hasMissingEntry(given) && !builder.reader.isTool;
	if (isLeftOut || isIncomplete) {
		return handleEmpty(builder, field, hasSpaceAround(saved) ? undefined : given);
	}
	if (field.type === 'collection') return readCollection(builder, field, given, saved);
	if (field.type === 'fixedCollection') return readEntries(builder, field, given, saved);
	const converted = convertValue(given, field, builder.reader.timezone);
	const value = field.check ? field.check(converted, field.displayName) : converted;
	return isEmpty(value) || isEmptyObject(value) ? handleEmpty(builder, field, null) : value;
}

/** True for an expression beside a space or line break, which n8n returns if the expression itself finds nothing. */
const hasSpaceAround = (saved: unknown): boolean =>
	typeof saved === 'string' && hasExpression(saved) && /^=\s|\s$/.test(saved);

/** True if the value is a list in which at least one entry's expression returned no value. */
const hasMissingEntry = (given: unknown) => Array.isArray(given) && given.includes(undefined);

/** True if an empty value is an error. */
const isRequired = ({ required, whenEmpty }: Field): boolean =>
	required === true || whenEmpty === 'refuse';

/**
 * Handles an empty value according to the field's `whenEmpty` setting. Only an expression can return
 * undefined, usually because of a misspelled field name.
 */
function handleEmpty(builder: RequestBuilder, field: Field, given: unknown): unknown {
	const { body, reader } = builder;
	const { name, type, whenEmpty } = field;
	const isKept = isRequired(field) || whenEmpty === 'refuseExpression';
	const isRefused = isKept && hasExpression(reader.readSaved(name));
	// An AI model leaves out a field by passing nothing for it
	const isLeftOut = reader.isTool && !isKept;
	const isMissing = isRefused || (!isLeftOut && (given === undefined || hasMissingEntry(given)));
	if (isMissing || isRequired(field)) {
		throw createEmptyError(field, isMissing && !reader.isTool);
	}
	// In a tool call, only 'Unset' clears a field
	const effect = reader.isTool ? undefined : whenEmpty;
	if (effect === 'unset') body.unset = [body.unset ?? [], name].flat();
	if (effect === 'send') return [];
	return type === 'collection' ? {} : undefined;
}

/**
 * Creates the error for an empty field, with an example from the field's placeholder.
 *
 * @param isResult true if the field's expression returned no value
 */
function createEmptyError(field: Field, isResult: boolean): InputError {
	const { displayName, type, whenEmpty, placeholder, modes } = field;
	const problem = isResult ? 'is empty: its expression returned no value' : 'is empty';
	if (type === 'collection') return new InputError(displayName, problem, 'Add at least one field.');
	const [example] = /, e\.g\. .+/.exec(`, ${placeholder ?? modes?.at(-1)?.placeholder}`) ?? [''];
	const fillIn = `Fill in '${displayName}'${example}`;
	const isActor = whenEmpty === 'refuseExpression';
	const actAsApp = isActor && isResult ? ', or clear it to act as the app itself' : '';
	const advice =
		isRequired(field) || isActor
			? `${fillIn}${actAsApp}.`
			: `To leave '${displayName}' out, give null or an empty text.`;
	return new InputError(displayName, problem, advice);
}

function readCollection(
	builder: RequestBuilder,
	field: Field,
	raw: unknown,
	saved: unknown,
): IDataObject {
	const { displayName, options = [], required, check } = field;
	const values: IDataObject = {};
	for (const [key, given] of Object.entries(toObject(displayName, raw))) {
		const named = options.filter(isField).filter(({ name }) => name === key);
		// Another choice can show the same field with another default
		const inner = named.find((each) => isShown(each, builder.values)) ?? named[0];
		if (inner === undefined) {
			if (isEmpty(given)) continue;
			throw new InputError(key, `is not one of the fields of '${displayName}'`);
		}
		if (!isShown(inner, builder.values)) {
			refuseHiddenValue(builder, inner, given);
			continue;
		}
		// An AI model passes empty values for 'Update Fields' that it leaves unchanged
		if (builder.reader.isTool && required && isEmpty(given)) continue;
		const value = readValue(builder, inner, given, asObject(saved)[key]);
		if (value === undefined) continue;
		values[key] = value;
		addToRequest(builder, inner, value);
	}
	if (required && Object.keys(values).length === 0 && builder.body.unset === undefined) {
		throw createEmptyError(field, false);
	}
	check?.(values, displayName);
	return values;
}

/** Reads a fixed collection's entry, or a list of entries if the collection allows several. */
function readEntries(builder: RequestBuilder, field: Field, raw: unknown, saved: unknown): unknown {
	const { displayName, options = [], required, typeOptions } = field;
	// Our fixed collections have a single kind of entry
	const kinds = options.filter((option) => 'values' in option);
	const given = toObject(displayName, raw);
	const entries = kinds.flatMap(({ name }) => given[name] ?? []);
	const savedEntries = kinds.flatMap(({ name }) => asObject(saved)[name] ?? []);
	if (required && entries.length === 0) throw createEmptyError(field, false);
	const fields = kinds.flatMap((kind) => kind.values);
	const results = entries.flatMap((entry, index) => {
		const given = toObject(displayName, entry);
		if (typeOptions?.multipleValues && lacksRequired(fields, given)) return [];
		const savedEntry = asObject(savedEntries[index]);
		const values: Record<string, unknown> = {};
		for (const inner of fields) {
			const { name } = inner;
			if (!isShown(inner, values)) continue;
			// An expression for a whole entry can omit some of the entry's fields
			const raw = name in given ? given[name] : inner.default;
			const value = readValue(builder, inner, raw, savedEntry[name]);
			if (value !== undefined) values[name] = value;
		}
		return values;
	});
	if (!typeOptions?.multipleValues) return results[0];
	return results.length > 0 ? results : undefined;
}

/** True if an entry's required field is empty, e.g. the URL of a file that only other items have. */
const lacksRequired = (fields: INodeProperties[], entry: Record<string, unknown>): boolean =>
	fields.some(
		({ name, required }) =>
			required && name in entry && entry[name] !== undefined && isEmpty(entry[name]),
	);

/** Adds a value to the request, as declared by the routing of the field and the chosen option. */
function addToRequest(builder: RequestBuilder, field: Field, value: unknown): void {
	if (value === undefined) return;
	if (field.routing) applyRouting(builder, field.routing, value, field.displayName);
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
	label = '',
): void {
	const { values, query, headers, body } = builder;
	if (request.url !== undefined) builder.url = request.url;
	for (const [key, text] of Object.entries(request.headers ?? {})) {
		headers[key] = String(resolveExpression(values, text, value));
	}
	for (const [key, constant] of Object.entries(request.qs ?? {})) {
		// A value that the user set takes precedence over another field's constant
		query[key] ??= constant;
	}
	for (const [key, constant] of Object.entries(asObject(request.body))) {
		setField(body, key, resolveExpression(values, constant, value));
	}
	if (send?.property === undefined) return;
	const sent = send.value === undefined ? value : resolveExpression(values, send.value, value);
	if (send.type === 'body') setField(body, send.property, mergeValues(body[send.property], sent));
	else query[send.property] = Array.isArray(sent) ? joinList(label, sent) : (sent as string);
}

/** Merges the values of fields that are sent in the same body property. */
function mergeValues(current: unknown, added: unknown): unknown {
	if (!Array.isArray(current) || !Array.isArray(added)) return mergeObjects(current, added);
	return [...new Set<unknown>(current.concat(added))];
}

/**
 * Resolves the expressions that a field's `routing` can contain: `$value`, `$parameter.NAME`, or a list of
 * these expressions.
 */
function resolveExpression(values: Values, text: unknown, value: unknown): unknown {
	if (Array.isArray(text))
		return text.map((entry: unknown) => resolveExpression(values, entry, value));
	if (typeof text !== 'string' || !text.startsWith('=')) return text;
	if (/^=\{\{ \$value(?:\.\w+)? \}\}$/.test(text)) return value;
	const [, name] = /^=\{\{ \$parameter\.(\w+) \}\}$/.exec(text) ?? [];
	if (name === undefined)
		throw new Error(`The description contains an unsupported expression: ${text}`);
	return values[name];
}

/** @throws InputError if an empty field clears what other fields set, e.g. 'Metadata' beside 'Email' */
function checkCleared({ body, fields }: RequestBuilder): void {
	const name = [body.unset].flat().find((each) => asText(each) in body);
	if (name === undefined) return;
	const label = getLabel(fields, asText(name));
	throw new InputError(
		label,
		'is empty, which would also clear the values of other fields',
		`Remove '${label}', or the fields that are stored in it.`,
	);
}

/** @throws InputError for a value that would change the structure of the request path */
function buildPath({ url, values, fields }: RequestBuilder): string {
	const named = Object.assign({}, ...Object.values(values).filter(isObject), values) as Values;
	for (const [, name = ''] of url.matchAll(/\{(\w+)\}/g)) {
		const problem = findSegmentProblem(asText(named[name]));
		if (problem === undefined) continue;
		const label = getLabel(fields, name);
		throw new InputError(label, problem, 'It would change the URL of the request.');
	}
	return expandPath(url, named);
}

/** Returns the value of an n8n resource locator. A plain string is a locator without a mode. */
function readLocator(raw: unknown): unknown {
	return isObject(raw) && 'value' in raw ? raw.value : raw;
}

/** @param requestOptions checked value of 'Request Options' */
export function readRequestPolicy(requestOptions: unknown): RequestPolicy {
	const {
		timeout = DEFAULT_TIMEOUT_MS,
		maxTries = DEFAULT_MAX_ATTEMPTS,
		maxWait = DEFAULT_MAX_WAIT_SECONDS,
	} = asObject(requestOptions);
	return {
		timeoutMs: Number(timeout),
		maxAttempts: Number(maxTries),
		maxWaitMs: 1000 * Number(maxWait),
	};
}
