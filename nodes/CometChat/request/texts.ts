import { formatValue } from '../errors/formatText';
import { InputError } from '../errors/inputError';
import { isObject } from '../transport/json';
import { dateToIso } from './dates';

/** True if a field was left empty, so nothing is sent for it. */
export function isEmpty(value: unknown): boolean {
	return (
		value === undefined ||
		value === null ||
		(typeof value === 'string' && value.trim() === '') ||
		(Array.isArray(value) && value.every(isEmpty))
	);
}

/** Maximum length of a text, in UTF-16 code units. CometChat has the same limit for a whole message. */
export const MAX_TEXT = 65_536;

/**
 * Returns a string unchanged, a number as its digits, and a date as an ISO 8601 string.
 *
 * @throws InputError for any other type, a number above 2^53, or a string that is too long or malformed
 */
export function toText(field: string, given: unknown, maxLength = MAX_TEXT): string {
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
		const kind = isObject(value) ? 'an object' : formatValue(value);
		throw new InputError(field, `must be text, but it is ${kind}`, adviseDragging(field, value));
	}
	if (value.length > maxLength) {
		throw new InputError(field, `is longer than ${maxLength} characters: it has ${value.length}`);
	}
	if (!value.isWellFormed()) {
		throw new InputError(
			field,
			'contains an incomplete emoji',
			'The text was cut in the middle of a character. Pass the complete text.',
		);
	}
	return value;
}

/**
 * Returns advice for a user who dragged a list or a whole item into a field. Suggests the item's field with a
 * matching name.
 */
function adviseDragging(field: string, value: unknown): string | undefined {
	if (!isObject(value)) return Array.isArray(value) ? 'Give one value, not a list.' : undefined;
	const words = field.toLowerCase().split(' ');
	const likely = Object.keys(value).find((name) => words.includes(name.toLowerCase()));
	return `Use one of its fields${likely ? `, e.g. ${likely}` : ''}.`;
}

/** Returns the allowed choice that equals a value, ignoring case and surrounding white space. */
export function toChoice(field: string, value: unknown, allowed: readonly string[]): string {
	const text = typeof value === 'object' && value !== null ? toText(field, value) : String(value);
	const key = text.trim().toLowerCase();
	const choice = allowed.find((each) => each.toLowerCase() === key);
	if (choice !== undefined) return choice;
	throw new InputError(
		field,
		`must be one of ${allowed.join(', ')}, but it is ${formatValue(value)}`,
	);
}
