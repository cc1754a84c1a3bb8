/**
 * Values as they come from a workflow or an AI agent, made into what the service takes.
 * Nothing is trusted: whatever does not fit is refused with a sentence that names the field.
 */

/** A value that must not be sent. The message is a whole sentence for the user and names the field. */
export class InputError extends Error {
	constructor(
		/** Label of the field as the editor shows it */
		readonly field: string,
		problem: string,
		/** What to do about it */
		readonly advice?: string,
	) {
		super(`"${field}" ${problem}`);
	}
}

/** Longest text that a query parameter or a path segment takes, in UTF-16 code units. */
export const MAX_TEXT = 1_000;

/** Longest UID (https://www.cometchat.com/docs/fundamentals/key-concepts). */
export const MAX_UID = 100;

function shown(value: unknown): string {
	const text = typeof value === 'string' ? `"${value}"` : (JSON.stringify(value) ?? String(value));
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

/** @returns the text exactly as typed; numbers become their digits */
export function toText(field: string, value: unknown): string {
	if (typeof value === 'number' && Number.isFinite(value)) {
		if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
			throw new InputError(
				field,
				'is a number too large to be exact',
				`Give "${field}" as text, so that every digit is kept.`,
			);
		}
		return String(value);
	}
	if (typeof value !== 'string') {
		throw new InputError(field, `must be text, but it is ${shown(value)}`);
	}
	if (value.length > MAX_TEXT) {
		throw new InputError(field, `is longer than ${MAX_TEXT} characters`);
	}
	if (!isWellFormed(value)) {
		throw new InputError(
			field,
			'holds half of a character (a lone surrogate)',
			'The text was cut in the middle of an emoji: pass it on whole.',
		);
	}
	return value;
}

function isWellFormed(text: string): boolean {
	try {
		encodeURIComponent(text);
		return true;
	} catch {
		return false;
	}
}

/** @returns true or false; the texts "true" and "false", which agents and expressions give, count */
export function toFlag(field: string, value: unknown): boolean {
	if (value === true || value === 'true') return true;
	if (value === false || value === 'false') return false;
	throw new InputError(field, `must be true or false, but it is ${shown(value)}`);
}

/** @returns a whole number from `min` to `max`, both allowed; digits as text count */
export function toInteger(field: string, value: unknown, min: number, max: number): number {
	const number = typeof value === 'string' && /^\s*-?\d+\s*$/.test(value) ? Number(value) : value;
	if (typeof number !== 'number' || !Number.isInteger(number) || number < min || number > max) {
		const range = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`;
		throw new InputError(field, `must be a whole number ${range}, but it is ${shown(value)}`);
	}
	return number;
}

/** @returns one of the allowed values */
export function toChoice(field: string, value: unknown, allowed: readonly string[]): string {
	const text = toText(field, value);
	if (!allowed.includes(text)) {
		throw new InputError(field, `must be one of ${allowed.join(', ')}, but it is ${shown(value)}`);
	}
	return text;
}

/**
 * Several texts: a list, or one text with commas between them, as agents and expressions give it.
 *
 * @returns the texts without surrounding white space and without empty ones
 */
export function toList(field: string, value: unknown, allowed?: readonly string[]): string[] {
	const entries = Array.isArray(value) ? value : [value];
	return entries
		.filter((entry) => !isEmpty(entry))
		.flatMap((entry) => toText(field, entry).split(','))
		.map((text) => text.trim())
		.filter((text) => text !== '')
		.map((text) => (allowed ? toChoice(field, text, allowed) : text));
}

/**
 * The header that names the user on whose behalf a request is made.
 *
 * @returns the UID, or undefined when the field was left empty
 */
export function toUid(field: string, value: unknown): string | undefined {
	if (isEmpty(value)) return undefined;
	const uid = toText(field, value);
	if (!/^[\x20-\x7e]+$/.test(uid)) {
		throw new InputError(
			field,
			'holds a line break, a control character or a character outside ASCII',
			'A UID has only letters, digits, "-" and "_".',
		);
	}
	if (uid.trim().length > MAX_UID) {
		throw new InputError(field, `is longer than ${MAX_UID} characters`);
	}
	return uid.trim();
}
