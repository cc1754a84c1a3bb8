import { jsonParse, type INodeProperties } from 'n8n-workflow';

import { isWellFormed } from '../transport/path';
import { asText, isObject, listValuesByDepth } from '../transport/json';
import { dateToIso, toUnixSeconds } from './dates';
import { formatValue } from '../errors/formatText';
import { InputError } from '../errors/inputError';
import type { Field } from '../types';

/**
 * Converts values from a workflow or an AI agent to the values that CometChat expects. The values are
 * untrusted: a value that doesn't match its field's n8n type throws an InputError that names the field.
 */

/** Options for converting a value, determined by the part of the request that contains the value. */
export interface ConversionOptions {
	/** Maximum length of a string, in UTF-16 code units */
	maxLength: number;
	/** True if lists are sent as comma-separated strings, so no entry can contain a comma */
	joinsByComma: boolean;
	/** IANA name of the workflow's time zone, used for dates without an offset */
	timezone: string;
}

/** True if a field was left empty, so nothing is sent for it. */
export function isEmpty(value: unknown): boolean {
	return (
		value === undefined ||
		value === null ||
		(typeof value === 'string' && value.trim() === '') ||
		(Array.isArray(value) && value.every(isEmpty))
	);
}

/**
 * Returns a string unchanged, a number as its digits, and a date as an ISO 8601 string.
 *
 * @throws InputError for any other type, a number above 2^53, or a string that is too long or malformed
 */
export function toText(field: string, given: unknown, maxLength = 1_000): string {
	const value = dateToIso(given) ?? given;
	if (typeof value === 'number' && Number.isFinite(value)) {
		if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
			throw new InputError(
				field,
				'is a number that is too large to be exact',
				`Give '${field}' as text, so that every digit is kept.`,
			);
		}
		return String(value);
	}
	if (typeof value !== 'string') {
		if (Array.isArray(value)) {
			const problem = `must be one text, but it is the list ${formatValue(value)}`;
			throw new InputError(field, problem, 'Give one value, not a list.');
		}
		const kind = isObject(value) ? 'an object' : formatValue(value);
		const advice = isObject(value) ? adviseDragging(field, Object.keys(value)) : undefined;
		throw new InputError(field, `must be text, but it is ${kind}`, advice);
	}
	if (value.length > maxLength) {
		throw new InputError(field, `is longer than ${maxLength} characters: it has ${value.length}`);
	}
	if (!isWellFormed(value)) {
		throw new InputError(
			field,
			'contains an incomplete emoji',
			'The text was cut in the middle of a character. Pass the complete text.',
		);
	}
	return value;
}

/**
 * Returns advice for a user who dragged a whole item into a field. Suggests the item's field with a matching
 * name.
 */
function adviseDragging(field: string, names: string[]): string {
	const words = field.toLowerCase().split(' ');
	const likely = names.find((name) => words.includes(name.toLowerCase()));
	return `Use one of its fields${likely ? `, e.g. ${likely}` : ''}.`;
}

const BOOLEANS = new Map([
	['true', true],
	['yes', true],
	['1', true],
	['false', false],
	['no', false],
	['0', false],
]);

/** Returns a boolean. Also accepts true, false, yes, no, 1 and 0 as text in any case. */
function toBoolean(field: string, value: unknown): boolean {
	const key = typeof value === 'object' ? '' : asText(value).trim().toLowerCase();
	const known = BOOLEANS.get(key);
	if (known !== undefined) return known;
	throw new InputError(field, `must be true or false, but it is ${formatValue(value)}`);
}

/** Returns an integer between `min` and `max`, inclusive. Also accepts a string of digits. */
export function toInteger(
	field: string,
	value: unknown,
	min = Number.MIN_SAFE_INTEGER,
	max = Number.MAX_SAFE_INTEGER,
): number {
	const isDigits = typeof value === 'string' && /^\s*-?\d+\s*$/.test(value);
	const number = isDigits ? Number(value) : value;
	if (typeof number !== 'number' || !Number.isInteger(number) || number < min || number > max) {
		const range = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`;
		throw new InputError(field, `must be a whole number ${range}, but it is ${formatValue(value)}`);
	}
	return number;
}

/** Returns the allowed choice that equals a value, ignoring case and surrounding white space. */
function toChoice(field: string, value: unknown, allowed: readonly string[]): string {
	const text = typeof value === 'object' && value !== null ? toText(field, value) : String(value);
	const key = text.trim().toLowerCase();
	const choice = allowed.find((each) => each.toLowerCase() === key);
	if (choice !== undefined) return choice;
	throw new InputError(
		field,
		`must be one of ${allowed.join(', ')}, but it is ${formatValue(value)}`,
	);
}

/** Marks a string that isn't valid JSON. */
const NOT_JSON = Symbol('not JSON');

/** Returns a JSON list's entries, or undefined if the value isn't a list. */
function parseJsonList(text: string): unknown[] | undefined {
	if (!text.trim().startsWith('[')) return undefined;
	const parsed: unknown = jsonParse(text, { fallbackValue: NOT_JSON });
	return Array.isArray(parsed) ? parsed : undefined;
}

/**
 * Lists the entries of a nested list, a JSON list, or a text with an entry per line. A text in a list is one
 * entry, even if it contains commas. Any other text is split at its commas.
 */
function splitList(field: string, value: unknown, isEntry = false): string[] {
	if (Array.isArray(value)) return value.flatMap((entry) => splitList(field, entry, true));
	if (isEmpty(value)) return [];
	const text = toText(field, value, Infinity);
	const list = parseJsonList(text);
	if (list) return splitList(field, list);
	const isOneEntry = isEntry && !text.includes('\n');
	return isOneEntry ? [text] : text.split(text.trim().includes('\n') ? '\n' : ',');
}

/**
 * Returns distinct, trimmed, non-empty strings from any form of list.
 *
 * @param allowed choices that the list may contain. By default, any text.
 */
export function toList(field: string, value: unknown, allowed?: readonly string[]): string[] {
	const texts = splitList(field, value)
		.map((text) => text.trim())
		.filter((text) => text !== '')
		.map((text) => (allowed ? toChoice(field, text, allowed) : toText(field, text)));
	return [...new Set(texts)];
}

const OBJECT_ADVICE = 'Enter a JSON object, e.g. {"key": "value"}.';

function hasInexactNumber(value: unknown): boolean {
	for (const level of listValuesByDepth(value)) {
		if (level.some((each) => Number.isInteger(each) && !Number.isSafeInteger(each))) return true;
	}
	return false;
}

/** Returns an object, parsing the value if it's a JSON string. */
export function toObject(field: string, value: unknown): Record<string, unknown> {
	const parsed: unknown =
		typeof value === 'string' ? jsonParse(value, { fallbackValue: NOT_JSON }) : value;
	if (isObject(parsed)) return parsed;
	throw new InputError(
		field,
		`must be a JSON object, but it is ${formatValue(parsed === NOT_JSON ? value : parsed)}`,
		OBJECT_ADVICE,
	);
}

/**
 * Converts a value to a plain JSON object. An expression can return values that JSON can't represent, e.g. a
 * Date or undefined.
 *
 * @throws InputError if the value isn't a JSON object, or contains an integer above 2^53, which has lost
 * digits
 */
function toJsonObject(field: string, value: unknown): Record<string, unknown> {
	const object = toObject(field, isObject(value) ? JSON.stringify(value) : value);
	if (hasInexactNumber(object)) {
		throw new InputError(
			field,
			'contains a number that is too large to be exact',
			'Put it in quotes, so that every digit is kept.',
		);
	}
	return object;
}

/** Returns the values that an `options` or `multiOptions` field offers. */
export function getOptionValues({ options = [] }: INodeProperties): string[] {
	return options.flatMap((option) => ('value' in option ? String(option.value) : []));
}

type Converter = (value: unknown, field: Field, destination: ConversionOptions) => unknown;

const toTexts: Converter = (value, { displayName }, { joinsByComma }) => {
	const texts = toList(displayName, value);
	const divided = joinsByComma ? texts.find((text) => text.includes(',')) : undefined;
	if (divided === undefined) return texts;
	throw new InputError(
		displayName,
		`contains ${formatValue(divided)}, which has a comma`,
		'CometChat separates values by commas, so it cannot search for a value that contains one.',
	);
};

/** Converters, keyed by the field's n8n type. */
const CONVERTERS: Partial<Record<INodeProperties['type'], Converter>> = {
	boolean: (value, { displayName }) => toBoolean(displayName, value),
	dateTime: (value, { displayName, isEndOfRange }, { timezone }) =>
		toUnixSeconds(displayName, value, timezone, isEndOfRange),
	json: (value, { displayName }) => toJsonObject(displayName, value),
	multiOptions: (value, field) => toList(field.displayName, value, getOptionValues(field)),
	number: (value, { displayName, typeOptions }) =>
		toInteger(displayName, value, typeOptions?.minValue, typeOptions?.maxValue),
	options: (value, field) => toChoice(field.displayName, value, getOptionValues(field)),
	resourceLocator: (value, { displayName }) => toText(displayName, value).trim(),
	string: (value, { displayName, typeOptions }, { maxLength }) => {
		const text = toText(displayName, value, maxLength);
		return typeOptions?.rows === undefined ? text.trim() : text;
	},
};

/**
 * Converts a non-empty value to the type that the field declares.
 *
 * @throws InputError if the value doesn't match the field's type
 */
export function convertValue(
	value: unknown,
	field: Field,
	destination: ConversionOptions,
): unknown {
	const { multipleValues, loadOptionsMethod } = field.typeOptions ?? {};
	// A list loaded from CometChat has at most 1,000 entries, so values outside the list are also valid
	const takesTexts = (field.type === 'string' && multipleValues) || loadOptionsMethod !== undefined;
	const converter = takesTexts ? toTexts : CONVERTERS[field.type];
	if (converter === undefined) throw new Error(`Fields of type ${field.type} have no value`);
	return converter(value, field, destination);
}
