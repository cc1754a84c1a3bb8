import { jsonParse, type INodeProperties } from 'n8n-workflow';

import { isWellFormed } from '../transport/path';
import { isObject, levelsOf } from '../transport/json';
import { isoTextOf, toUnixSeconds } from './dates';
import { InputError } from '../errors/inputError';

/**
 * Values as they come from a workflow or an AI agent, made into what the service takes. Nothing is
 * trusted: whatever does not match the field's n8n type is refused with a sentence that names the
 * field.
 */

/** Where a value goes, as far as it matters for what the value may be. */
export interface Destination {
	/** Longest text, in UTF-16 code units */
	maxLength: number;
	/** Whether lists are joined by commas there, so that a comma in a text separates texts too */
	joinsByComma: boolean;
	/** IANA name of the zone of dates without an offset: the workflow's */
	timezone: string;
}

function shown(value: unknown): string {
	if (typeof value === 'bigint') return `${value}n`;
	// As JSON, a number that is none would be null
	if (typeof value === 'number') return String(value);
	const text = typeof value === 'string' ? `"${value}"` : (jsonOf(value) ?? typeof value);
	return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

/** Whether a field was left empty: nothing is sent for it. */
export function isEmpty(value: unknown): boolean {
	return (
		value === undefined ||
		value === null ||
		(typeof value === 'string' && value.trim() === '') ||
		(Array.isArray(value) && value.every(isEmpty))
	);
}

/** @returns the text exactly as typed; numbers become their digits, and dates their ISO 8601 text */
export function toText(field: string, given: unknown, maxLength = 1_000): string {
	const value = isoTextOf(given) ?? given;
	if (typeof value === 'bigint') return String(value);
	if (typeof value === 'number' && Number.isFinite(value)) {
		if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
			throw new InputError(
				field,
				'is a number too large to be exact',
				`Give '${field}' as text, so that every digit is kept.`,
			);
		}
		return String(value);
	}
	if (typeof value !== 'string') {
		const kind = Array.isArray(value) ? 'a list' : isObject(value) ? 'an object' : shown(value);
		const advice = isObject(value) ? dragAdvice(field, Object.keys(value)) : undefined;
		throw new InputError(field, `must be text, but it is ${kind}`, advice);
	}
	if (value.length > maxLength) {
		throw new InputError(field, `is longer than ${maxLength} characters: it has ${value.length}`);
	}
	if (!isWellFormed(value)) {
		throw new InputError(
			field,
			'contains an incomplete emoji',
			'The text was cut in the middle of a character: pass it on whole.',
		);
	}
	return value;
}

/** An item was dropped into a field: the part that is called like it is likely what was meant. */
function dragAdvice(field: string, names: string[]): string {
	const words = field.toLowerCase().split(' ');
	const likely = names.find((name) => words.includes(name.toLowerCase()));
	return `Drag one of its fields${likely ? `, e.g. ${likely}` : ''}.`;
}

/** @returns true or false; the texts "true" and "false", which agents and expressions give, count */
function toFlag(field: string, value: unknown): boolean {
	if (value === true || value === 'true') return true;
	if (value === false || value === 'false') return false;
	throw new InputError(field, `must be true or false, but it is ${shown(value)}`);
}

/** @returns a whole number from `min` to `max`, both allowed; digits as text count */
export function toInteger(
	field: string,
	value: unknown,
	min = Number.MIN_SAFE_INTEGER,
	max = Number.MAX_SAFE_INTEGER,
): number {
	const isDigits = typeof value === 'string' && /^\s*-?\d+\s*$/.test(value);
	const number = isDigits || typeof value === 'bigint' ? Number(value) : value;
	if (typeof number !== 'number' || !Number.isInteger(number) || number < min || number > max) {
		const range = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`;
		throw new InputError(field, `must be a whole number ${range}, but it is ${shown(value)}`);
	}
	return number;
}

/** @returns one of the allowed values */
function toChoice(field: string, value: unknown, allowed: readonly string[]): string {
	const text = toText(field, value);
	if (!allowed.includes(text)) {
		throw new InputError(field, `must be one of ${allowed.join(', ')}, but it is ${shown(value)}`);
	}
	return text;
}

/**
 * Several texts: a list, whose entries may be lists too, or texts with commas between them, as agents
 * and expressions give them.
 *
 * @param options.joinsByComma whether a comma in an entry of a list separates texts too
 * @returns each text once, without surrounding white space and without empty ones
 */
export function toList(
	field: string,
	value: unknown,
	{ allowed, joinsByComma = true }: { allowed?: readonly string[]; joinsByComma?: boolean } = {},
): string[] {
	const isList = Array.isArray(value);
	const entries: unknown[] = isList ? value.flat(Infinity) : [value];
	const texts = entries
		.filter((entry) => !isEmpty(entry))
		.map((entry) => toText(field, entry, Infinity))
		.flatMap((text) => (isList && !joinsByComma ? text : text.split(',')))
		.map((text) => text.trim())
		.filter((text) => text !== '')
		.map((text) => (allowed ? toChoice(field, text, allowed) : toText(field, text)));
	return [...new Set(texts)];
}

const OBJECT_ADVICE = 'Enter a JSON object, e.g. {"key": "value"}.';

/** What comes of a text that is not JSON. */
const NOT_JSON = Symbol('not JSON');

function holdsInexactNumber(value: unknown): boolean {
	for (const level of levelsOf(value)) {
		if (level.some((each) => Number.isInteger(each) && !Number.isSafeInteger(each))) return true;
	}
	return false;
}

/** @returns an object, from an object or from its JSON */
export function toObject(field: string, value: unknown): Record<string, unknown> {
	const parsed: unknown =
		typeof value === 'string' ? jsonParse(value, { fallbackValue: NOT_JSON }) : value;
	if (isObject(parsed)) return parsed;
	const problem =
		parsed === NOT_JSON ? 'is not valid JSON' : `must be a JSON object, but it is ${shown(parsed)}`;
	throw new InputError(field, problem, OBJECT_ADVICE);
}

/**
 * @returns an object as JSON holds it: an expression may return what JSON cannot, or holds otherwise
 * @throws InputError also for a whole number that has lost digits, or would
 */
function toJsonObject(field: string, value: unknown): Record<string, unknown> {
	const json = isObject(value) ? jsonOf(value) : value;
	if (json === undefined) throw new InputError(field, 'must be a JSON object', OBJECT_ADVICE);
	const object = toObject(field, json);
	if (holdsInexactNumber(object)) {
		throw new InputError(
			field,
			'holds a number too large to be exact',
			'Put it in quotes, so that every digit is kept.',
		);
	}
	return object;
}

/** @returns undefined for what JSON cannot hold */
function jsonOf(value: unknown): string | undefined {
	try {
		return JSON.stringify(value);
	} catch {
		return undefined; // too deep, or circular
	}
}

/** The values that a field of n8n's type "options" or "multiOptions" offers. */
export function choicesOf({ options = [] }: INodeProperties): string[] {
	return options.flatMap((option) => ('value' in option ? String(option.value) : []));
}

type Convert = (value: unknown, field: INodeProperties, destination: Destination) => unknown;

const severalTexts: Convert = (value, { displayName }, { joinsByComma }) =>
	toList(displayName, value, { joinsByComma });

/** How a value is checked and converted follows from the n8n type of its field. */
const BY_TYPE: Partial<Record<INodeProperties['type'], Convert>> = {
	boolean: (value, { displayName }) => toFlag(displayName, value),
	dateTime: (value, { displayName }, { timezone }) => toUnixSeconds(displayName, value, timezone),
	json: (value, { displayName }) => toJsonObject(displayName, value),
	multiOptions: (value, field) => toList(field.displayName, value, { allowed: choicesOf(field) }),
	number: (value, { displayName, typeOptions }) =>
		toInteger(displayName, value, typeOptions?.minValue, typeOptions?.maxValue),
	options: (value, field) => toChoice(field.displayName, value, choicesOf(field)),
	resourceLocator: (value, { displayName }) => toText(displayName, value).trim(),
	string: (value, { displayName }, { maxLength }) => toText(displayName, value, maxLength),
};

/**
 * The value of a field as the service takes it.
 *
 * @param value not empty
 * @throws InputError when it does not match the type of the field
 */
export function convert(value: unknown, field: INodeProperties, destination: Destination): unknown {
	const { multipleValues, loadOptionsMethod } = field.typeOptions ?? {};
	// What the service lists is no limit: it lists a thousand
	const isSeveral = (field.type === 'string' && multipleValues) || loadOptionsMethod !== undefined;
	const converter = isSeveral ? severalTexts : BY_TYPE[field.type];
	if (converter === undefined) throw new Error(`No value comes from a field of type ${field.type}`);
	return converter(value, field, destination);
}
