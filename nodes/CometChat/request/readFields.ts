import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { InputError } from '../errors/describedErrors';
import { isErrorWithN8nContext } from '../errors/nodeError';
import { asObjectOrEmpty, isEmptyObject } from '../helpers/json';
import type { Field, ParameterValues } from '../types';
import { convertFieldValue, parseObjectOrThrow } from './convert';
import {
	createEmptyFieldError,
	isListWithUndefined,
	decideEffectOfEmptyValue,
} from './emptyValues';
import { isFieldNotOption } from './fieldTree';
import { isShown, refuseHiddenValue } from './hiddenFields';
import { unwrapLocator } from './locator';
import { savedValueHasExpression, type ParameterReader } from './parameterReader';
import { isNullishOrBlankOrEmptyList } from './texts';

/** True for the types of fields that always have a value at the top level. */
const alwaysHasValue = ({ type }: Field) => ['boolean', 'number', 'options'].includes(type);

/** Result of reading the fields of an item or a trigger. */
export interface CheckedFieldValues {
	/** Values of the top-level fields, keyed by name. A collection's value is an object. */
	values: Record<string, unknown>;
	/**
	 * Fields with a value, in the order of reading. Includes fields inside collections, but not inside fixed
	 * collections.
	 */
	filledFields: Array<[field: Field, value: unknown]>;
	/** Names of the fields to clear */
	unset: string[];
	/** Labels of the filters that are left out, because their expressions returned no value */
	leftOutFilters: string[];
}

/** State while an item's or a trigger's fields are being read, including the values read so far. */
interface FieldReadingState extends CheckedFieldValues {
	reader: ParameterReader;
	/** Top-level fields. A collection's options contain the fields inside the collection. */
	fields: readonly Field[];
}

/**
 * Reads and checks the fields of an item or a trigger.
 *
 * @param fromEarlierNodes fields that the user doesn't see, and their values
 * @throws InputError for an invalid value, or n8n's own error if an expression fails
 */
export function readAndCheckFields(
	fields: readonly Field[],
	reader: ParameterReader,
	fromEarlierNodes: { fields: readonly Field[]; values: ParameterValues },
): CheckedFieldValues {
	const reading: FieldReadingState = {
		...{ fields, reader, values: {}, filledFields: [] },
		...{ unset: [], leftOutFilters: [] },
	};
	for (const field of fromEarlierNodes.fields) {
		const given = fromEarlierNodes.values[field.name];
		if (given !== undefined) keepValue(reading, field, readValue(reading, field, given, undefined));
	}
	for (const field of fields) {
		if (isShown(field, reading.values)) keepValue(reading, field, readShownField(reading, field));
		// If the choice is an expression, the editor shows the fields of all choices. Required fields, and fields that
		// always have a value, then have a value even if they're hidden, so don't refuse these values
		else if (!field.required && !alwaysHasValue(field)) {
			refuseHiddenValue(fields, reading.values, field, readResolvedValue(reader, field));
		}
	}
	return reading;
}

function keepValue(
	{ values, filledFields }: FieldReadingState,
	field: Field,
	value: unknown,
): void {
	values[field.name] = value;
	if (value !== undefined) filledFields.push([field, value]);
}

function readShownField(reading: FieldReadingState, field: Field): unknown {
	const { reader } = reading;
	const source = findSourceField(reading, field);
	const saved = reader.readSaved(source.name);
	const given = readValue(reading, field, readResolvedValue(reader, source), saved);
	// A cleared boolean, number or options field falls back to its default
	return given ?? (alwaysHasValue(field) ? field.default : undefined);
}

/** Returns the field that supplies a field's value: the field itself, or its alternative. */
function findSourceField({ reader, fields }: FieldReadingState, field: Field): Field {
	if (field.alternative === undefined) return field;
	const alternative = fields.find(({ name }) => name === field.alternative);
	const choices = Object.keys(field.displayOptions?.show ?? {});
	const isUsed =
		alternative !== undefined &&
		isNullishOrBlankOrEmptyList(unwrapLocator(reader.readSaved(field.name))) &&
		[alternative.name, ...choices].every((name) => savedValueHasExpression(reader.readSaved(name)));
	return isUsed ? alternative : field;
}

/** @throws n8n's own errors unchanged, and any other error as an InputError that names the field */
function readResolvedValue(
	{ read }: ParameterReader,
	{ name, displayName, default: fallback }: Field,
): unknown {
	try {
		return read(name, fallback);
	} catch (error) {
		throw labelEvaluationError(error, displayName);
	}
}

function labelEvaluationError(error: unknown, label: string): unknown {
	if (isErrorWithN8nContext(error) || !(error instanceof Error)) return error;
	return new InputError(label, `has a broken expression: ${error.message}`);
}

/**
 * Checks and converts a field's value.
 *
 * @param resolved the value, with expressions resolved
 * @param saved the value as the user saved it, or the expression if the whole collection is an expression.
 * Undefined for a field whose value comes from earlier nodes.
 * @throws InputError for an invalid value
 */
function readValue(
	reading: FieldReadingState,
	field: Field,
	resolved: unknown,
	saved: unknown,
): unknown {
	const given = field.type === 'resourceLocator' ? unwrapLocator(resolved) : resolved;
	// An empty list in a JSON field isn't left out. Most JSON fields refuse lists, but 'Attachments' accepts an
	// empty list
	const isLeftOut =
		isNullishOrBlankOrEmptyList(given) && !(field.type === 'json' && Array.isArray(given));
	const isIncomplete = isListWithUndefined(given) && !reading.reader.isTool;
	if (isLeftOut || isIncomplete) {
		return handleEmpty(reading, field, hasSpaceAroundExpression(saved) ? undefined : given, saved);
	}
	if (field.type === 'collection') return readCollection(reading, field, given, saved);
	if (field.type === 'fixedCollection') return readFixedCollection(reading, field, given, saved);
	const converted = convertFieldValue(given, field, reading.reader.timezone);
	const value = field.check ? field.check(converted, field.displayName) : converted;
	// `check` can turn a boolean into undefined, e.g. to send only `true`. The field doesn't count as empty then
	if (typeof converted === 'boolean') return value;
	return isNullishOrBlankOrEmptyList(value) || isEmptyObject(value)
		? handleEmpty(reading, field, null, saved)
		: value;
}

/**
 * Applies a field's `whenEmpty` to an empty value: refuses the value, records that CometChat has to clear the field, or
 * leaves the field out.
 *
 * @returns the field's value: an empty list or object, or undefined
 * @throws InputError if the empty value is refused
 */
function handleEmpty(
	reading: FieldReadingState,
	field: Field,
	given: unknown,
	saved: unknown,
): unknown {
	const effect = decideEffectOfEmptyValue(reading.reader, field, given, saved);
	if (effect === 'unset') reading.unset.push(field.name);
	if (field.whenEmpty === 'refuseFixed') reading.leftOutFilters.push(field.displayName);
	if (effect === 'send') return [];
	return field.type === 'collection' ? {} : undefined;
}

/**
 * True for an expression with white space before or after it. If the expression returns no value, n8n returns only
 * the white space.
 */
const hasSpaceAroundExpression = (saved: unknown): boolean =>
	typeof saved === 'string' && savedValueHasExpression(saved) && /^=\s|\s$/.test(saved);

function readCollection(
	reading: FieldReadingState,
	field: Field,
	resolved: unknown,
	saved: unknown,
): IDataObject {
	const { displayName, options = [], required, check } = field;
	const values: IDataObject = {};
	for (const [key, given] of Object.entries(parseObjectOrThrow(displayName, resolved))) {
		const named = options.filter(isFieldNotOption).filter(({ name }) => name === key);
		// Fields can share a name. Their display options decide which of them is shown, and each has its own default
		const inner = named.find((each) => isShown(each, reading.values)) ?? named[0];
		if (inner === undefined) {
			if (isNullishOrBlankOrEmptyList(given)) continue;
			throw new InputError(key, `is not one of the fields of '${displayName}'`);
		}
		if (!isShown(inner, reading.values)) {
			refuseHiddenValue(reading.fields, reading.values, inner, given);
			continue;
		}
		// An AI model passes an empty value for each field in 'Update Fields' that should stay unchanged
		if (reading.reader.isTool && required && isNullishOrBlankOrEmptyList(given)) continue;
		const value = readValue(
			reading,
			inner,
			given,
			savedValueHasExpression(saved) && typeof saved === 'string'
				? saved
				: asObjectOrEmpty(saved)[key],
		);
		if (value === undefined) continue;
		values[key] = value;
		reading.filledFields.push([inner, value]);
	}
	if (required && Object.keys(values).length === 0 && reading.unset.length === 0) {
		throw createEmptyFieldError(field, false);
	}
	check?.(values, displayName);
	return values;
}

/** Reads a fixed collection's entry, or a list of entries if the collection allows several. */
function readFixedCollection(
	reading: FieldReadingState,
	field: Field,
	resolved: unknown,
	saved: unknown,
): unknown {
	const { displayName, options = [], required, typeOptions } = field;
	// This package's fixed collections have a single kind of entry
	const kinds = options.filter((option) => 'values' in option);
	const given = parseObjectOrThrow(displayName, resolved);
	const entries = kinds.flatMap(({ name }) => given[name] ?? []);
	const savedEntries = kinds.flatMap(({ name }) => asObjectOrEmpty(saved)[name] ?? []);
	if (required && entries.length === 0) throw createEmptyFieldError(field, false);
	const fields = kinds.flatMap((kind) => kind.values);
	const results = entries.flatMap((entry, index) => {
		const given = parseObjectOrThrow(displayName, entry);
		if (typeOptions?.multipleValues && hasEmptyRequiredField(fields, given)) return [];
		const savedEntry = asObjectOrEmpty(savedEntries[index]);
		const values: Record<string, unknown> = {};
		for (const inner of fields) {
			const { name } = inner;
			if (!isShown(inner, values)) continue;
			// An expression for a whole entry can omit some of the entry's fields, which then get their defaults
			const raw = name in given ? given[name] : inner.default;
			const value = readValue(reading, inner, raw, savedEntry[name]);
			if (value !== undefined) values[name] = value;
		}
		return values;
	});
	if (!typeOptions?.multipleValues) return results[0];
	return results.length > 0 ? results : undefined;
}

/**
 * True if a required field of an entry is null or a blank text. Such an entry is left out, e.g. a file whose URL is
 * an expression that is null for this item.
 */
const hasEmptyRequiredField = (
	fields: INodeProperties[],
	entry: Record<string, unknown>,
): boolean =>
	fields.some(
		({ name, required }) =>
			required &&
			name in entry &&
			entry[name] !== undefined &&
			isNullishOrBlankOrEmptyList(entry[name]),
	);
