import { formatValue } from '../errors/formatText';
import { InputError } from '../errors/inputError';
import { isObject } from '../transport/json';
import { isWellFormed } from '../transport/path';
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
