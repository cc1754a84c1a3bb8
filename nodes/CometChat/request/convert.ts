import { jsonParse, type INodeProperties } from 'n8n-workflow';

import { valueToText, isObjectOrArray, isObject } from '../helpers/json';
import { toUnixSeconds } from './dates';
import { createBrokenJsonError } from '../errors/brokenJson';
import { formatValueForError } from '../helpers/formatText';
import { InputError } from '../errors/describedErrors';
import type { Field } from '../types';
import { toDistinctTexts } from './lists';
import { toChoice, toTextWithinLimit } from './texts';

/**
 * The functions in this file convert untrusted values, from a workflow or an AI agent, to the values that CometChat
 * expects. For a value that can't be converted, they throw an InputError that names the field.
 */

/**
 * Converts true, yes and 1 to true, and false, no and 0 to false. Also accepts these values as text, in any case.
 *
 * @throws InputError for any other value
 */
function toBoolean(label: string, value: unknown): boolean {
	const text = typeof value === 'object' ? '' : valueToText(value).trim();
	if (/^(true|yes|1)$/i.test(text)) return true;
	if (/^(false|no|0)$/i.test(text)) return false;
	throw new InputError(label, `must be true or false, but it is ${formatValueForError(value)}`);
}

/**
 * Converts a number, or a string of digits, to an integer between `min` and `max`, inclusive.
 *
 * @throws InputError for a value that isn't an integer in this range
 */
export function toInteger(
	label: string,
	value: unknown,
	min = Number.MIN_SAFE_INTEGER,
	max = Number.MAX_SAFE_INTEGER,
): number {
	const isDigits = typeof value === 'string' && /^\s*-?\d+\s*$/.test(value);
	const number = isDigits ? Number(value) : value;
	if (typeof number !== 'number' || !Number.isInteger(number) || number < min || number > max) {
		const range = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`;
		throw new InputError(
			label,
			`must be a whole number ${range}, but it is ${formatValueForError(value)}`,
		);
	}
	return number;
}

/** True for a number that may have lost digits, e.g. an integer above 2^53, or 1e400, which becomes infinity. */
const isInexact = (value: unknown) =>
	typeof value === 'number' &&
	!Number.isSafeInteger(value) &&
	(value % 1 === 0 || !Number.isFinite(value));

/** Returns the path of the first number that may have lost digits, e.g. ["orders", "0", "id"]. */
function findInexactNumberPath(value: unknown): string[] | undefined {
	if (!isObjectOrArray(value)) return isInexact(value) ? [] : undefined;
	for (const [key, inner] of Object.entries(value)) {
		const path = findInexactNumberPath(inner);
		if (path) return [key, ...path];
	}
	return undefined;
}

/**
 * Returns the value if it's an object, or the object in a JSON string.
 *
 * @throws InputError if the value isn't an object
 */
export function parseObjectOrThrow(label: string, value: unknown): Record<string, unknown> {
	const parsed: unknown =
		typeof value === 'string' ? jsonParse(value, { fallbackValue: value }) : value;
	if (isObject(parsed)) return parsed;
	const example = 'Enter a JSON object, e.g. {"key": "value"}.';
	if (typeof parsed === 'string' && parsed.trim().startsWith('{')) {
		throw createBrokenJsonError(label, parsed, example);
	}
	throw new InputError(
		label,
		`must be a JSON object, but it is ${formatValueForError(parsed)}`,
		example,
	);
}

/**
 * Converts a value to a plain JSON object, because an expression can return values that JSON can't represent, e.g. a
 * Date or undefined.
 *
 * @throws InputError if the value isn't a JSON object, or contains a number that may have lost digits
 */
function toJsonObject(label: string, value: unknown): Record<string, unknown> {
	const object = parseObjectOrThrow(label, isObject(value) ? JSON.stringify(value) : value);
	const inexact = findInexactNumberPath(object);
	if (inexact) {
		throw new InputError(
			label,
			`contains a number that is too large to be exact, under ${inexact.join('.')}`,
			'Put it in quotes, so that every digit is kept.',
		);
	}
	return object;
}

/** Returns the values that an `options` or `multiOptions` field offers, as strings. */
export function listOptionValuesOfField({ options = [] }: INodeProperties): string[] {
	return options.flatMap((option) => ('value' in option ? String(option.value) : []));
}

type Converter = (value: unknown, field: Field, timezone: string) => unknown;

/** Converters, keyed by the field's n8n type. */
const CONVERTERS: Partial<Record<INodeProperties['type'], Converter>> = {
	boolean: (value, { displayName }) => toBoolean(displayName, value),
	dateTime: (value, { displayName, isEndOfRange }, timezone) =>
		toUnixSeconds(displayName, value, timezone, isEndOfRange),
	json: (value, { displayName }) => toJsonObject(displayName, value),
	multiOptions: (value, field) =>
		toDistinctTexts(field.displayName, value, { allowed: listOptionValuesOfField(field) }),
	number: (value, { displayName, typeOptions }) =>
		toInteger(displayName, value, typeOptions?.minValue, typeOptions?.maxValue),
	options: (value, field) => toChoice(field.displayName, value, listOptionValuesOfField(field)),
	resourceLocator: (value, { displayName }) => toTextWithinLimit(displayName, value).trim(),
	string: (value, { displayName, typeOptions }) => {
		const text = toTextWithinLimit(displayName, value);
		return typeOptions?.rows === undefined ? text.trim() : text;
	},
};

/**
 * Converts a non-empty value to the type that the field declares.
 *
 * @param timezone IANA name of the workflow's time zone, used for dates without an offset
 * @throws InputError if the value can't be converted, or Error if no converter exists for the field's type
 */
export function convertFieldValue(value: unknown, field: Field, timezone: string): unknown {
	if (field.convert) return field.convert(value, field.displayName);
	const { multipleValues, loadOptionsMethod } = field.typeOptions ?? {};
	// A list loaded from CometChat has at most 1,000 entries, so values outside the list are also valid
	const isLoaded = loadOptionsMethod !== undefined;
	if (isLoaded && field.type === 'options')
		return toTextWithinLimit(field.displayName, value).trim();
	const takesTexts = (field.type === 'string' && multipleValues) || isLoaded;
	if (takesTexts) return toDistinctTexts(field.displayName, value, { takesBooleans: !isLoaded });
	const converter = CONVERTERS[field.type];
	if (converter === undefined) throw new Error(`Fields of type ${field.type} have no value`);
	return converter(value, field, timezone);
}
