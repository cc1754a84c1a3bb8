import { appendToExpression } from '../errors/expressions';
import { formatValue } from '../helpers/formatText';
import { InputError } from '../errors/inputError';
import { isContainer, isObject } from '../helpers/json';
import { dateToIso } from './dates';

/** True for undefined, null, a blank text, or a list of only such values. */
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

interface TextRules {
	/** Maximum length, in UTF-16 code units */
	maxLength?: number;
	/** Separator that advice suggests for joining a list, escaped as in code */
	suggestedSeparator?: string;
}

/**
 * Returns a string unchanged, a number as text, and a date as an ISO 8601 string.
 *
 * @throws InputError for any other value, an integer that is too large to be exact, or a string that is too
 * long or malformed
 */
export function toText(
	label: string,
	given: unknown,
	{ maxLength = MAX_TEXT, suggestedSeparator }: TextRules = {},
): string {
	const value = dateToIso(given) ?? given;
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
		const kind = isObject(value) ? 'an object' : formatValue(value);
		const likely = isObject(value) ? findLikelyField(label, value) : undefined;
		throw new InputError(
			label,
			`must be text, but it is ${kind}`,
			adviseSingleValue(value, likely),
			(saved) => adviseExpression(saved, value, likely, suggestedSeparator),
		);
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

/** Returns the name of the object's field that a text field's label mentions, if any. */
function findLikelyField(label: string, value: object): string | undefined {
	const words = label.toLowerCase().split(' ');
	return Object.keys(value).find((name) => words.includes(name.toLowerCase()));
}

/**
 * Returns advice for a user who dragged a list or a whole item into a field.
 *
 * @param likely name of the item's field to suggest
 */
function adviseSingleValue(value: unknown, likely?: string): string | undefined {
	if (Array.isArray(value)) return 'Give one value, not a list.';
	return isObject(value) ? `Use one of its fields${likely ? `, e.g. ${likely}` : ''}.` : undefined;
}

/** Writes advice like `adviseSingleValue`, but with the corrected expression, if there is one. */
function adviseExpression(
	saved: string,
	value: unknown,
	likely?: string,
	separator?: string,
): string | undefined {
	const isJoinable = Array.isArray(value) && !value.some(isContainer) && separator !== undefined;
	if (!isJoinable && likely === undefined) return undefined;
	const call = isJoinable ? `.join('${separator}')` : `.${likely}`;
	const expression = appendToExpression(saved, call);
	if (expression === undefined) return undefined;
	return isJoinable
		? `Give one value, not a list. To join its values, use ${expression}.`
		: `Use one of its fields, e.g. ${expression}.`;
}

/**
 * Returns the allowed choice that equals a value, ignoring case and surrounding white space.
 *
 * @throws InputError if no choice equals the value
 */
export function toChoice(label: string, value: unknown, allowed: readonly string[]): string {
	const text = typeof value === 'object' && value !== null ? toText(label, value) : String(value);
	const key = text.trim().toLowerCase();
	const choice = allowed.find((each) => each.toLowerCase() === key);
	if (choice !== undefined) return choice;
	throw new InputError(
		label,
		`must be one of ${allowed.join(', ')}, but it is ${formatValue(value)}`,
	);
}
