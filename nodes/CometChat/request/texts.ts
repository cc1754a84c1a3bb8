import { formatValue } from '../errors/formatText';
import { InputError } from '../errors/inputError';
import { isContainer } from '../transport/json';
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
 * @throws InputError for any other type, a number above 2^53, or a malformed string
 */
export function toText(field: string, given: unknown): string {
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
		// Users may drag a whole item into a field
		const advice = isContainer(value) ? 'Give one value, not a list or an object.' : undefined;
		throw new InputError(field, `must be text, but it is ${formatValue(value)}`, advice);
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
