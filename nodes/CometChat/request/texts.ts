import { formatValueForError } from '../helpers/formatText';
import { InputError } from '../errors/describedErrors';
import { isObject } from '../helpers/json';
import { dateObjectToIsoOrUndefined } from './dates';

/** True for undefined, null, blank text, and lists that are empty or contain only such values. */
export function isNullishOrBlankOrEmptyList(value: unknown): boolean {
	return (
		value === undefined ||
		value === null ||
		(typeof value === 'string' && value.trim() === '') ||
		(Array.isArray(value) && value.every(isNullishOrBlankOrEmptyList))
	);
}

/** Maximum length of a text, in UTF-16 code units. CometChat has the same limit for a whole message. */
export const DEFAULT_MAX_TEXT_LENGTH = 65_536;

/**
 * Returns a string unchanged, a number as text, and a date as an ISO 8601 string.
 *
 * @param maxLength maximum length, in UTF-16 code units
 * @throws InputError for any other value, an integer that is too large to be exact, or a string that is too
 * long or malformed
 */
export function toTextWithinLimit(
	label: string,
	given: unknown,
	maxLength = DEFAULT_MAX_TEXT_LENGTH,
): string {
	const value = dateObjectToIsoOrUndefined(given) ?? given;
	if (typeof value === 'number' && Number.isFinite(value)) {
		if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
			throw new InputError(
				label,
				'is a number that is too large to be exact',
				`Give '${label}' as text, so that every digit is kept.`,
			);
		}
		return String(value);
	}
	if (typeof value !== 'string') {
		const kind = isObject(value) ? 'an object' : formatValueForError(value);
		throw new InputError(label, `must be text, but it is ${kind}`, adviseSingleValue(label, value));
	}
	if (value.length > maxLength) {
		throw new InputError(label, `is longer than ${maxLength} characters: it has ${value.length}`);
	}
	if (!value.isWellFormed()) {
		throw new InputError(
			label,
			'contains an incomplete emoji',
			'The text was cut in the middle of a character. Pass the complete text.',
		);
	}
	return value;
}

/** Returns advice for a user who dragged a list or a whole item into a text field. */
function adviseSingleValue(label: string, value: unknown): string | undefined {
	if (Array.isArray(value)) {
		return "Give one value, not a list. To join the values of a list, use .join(', ').";
	}
	if (!isObject(value)) return undefined;
	const words = label.toLowerCase().split(' ');
	const likely = Object.keys(value).find((name) => words.includes(name.toLowerCase()));
	return `Use one of its fields${likely ? `, e.g. ${likely}` : ''}.`;
}

/**
 * Returns the allowed choice that equals a value, ignoring case and surrounding white space.
 *
 * @throws InputError if no choice equals the value
 */
export function toChoice(label: string, value: unknown, allowed: readonly string[]): string {
	const text =
		typeof value === 'object' && value !== null ? toTextWithinLimit(label, value) : String(value);
	const key = text.trim().toLowerCase();
	const choice = allowed.find((each) => each.toLowerCase() === key);
	if (choice !== undefined) return choice;
	throw new InputError(
		label,
		`must be one of ${allowed.join(', ')}, but it is ${formatValueForError(value)}`,
	);
}
