import { InputError } from '../errors/inputError';
import type { Field } from '../types';
import { hasExpression, type ParameterReader } from './parameterReader';

/** Meaning of a field's empty value. */
type Meaning = NonNullable<Field['whenEmpty']> | 'leaveOut';

/**
 * Group of empty values that are refused. `undefined` usually comes from an expression with a misspelled field name.
 */
type RefusedValues = 'all' | 'expressions' | 'fixed' | 'undefined';

const REFUSED_VALUES: Record<Meaning, RefusedValues> = {
	leaveOut: 'undefined',
	unset: 'undefined',
	send: 'undefined',
	refuse: 'all',
	refuseExpression: 'expressions',
	refuseFixed: 'fixed',
};

const getMeaning = ({ required, whenEmpty }: Field): Meaning =>
	required ? 'refuse' : (whenEmpty ?? 'leaveOut');

/** True for a list that contains undefined, e.g. because the expression of an entry returned no value. */
export const hasUndefinedEntry = (given: unknown) =>
	Array.isArray(given) && given.includes(undefined);

/**
 * Decides what an empty value means.
 *
 * @param saved the value as the user saved it
 * @returns the effect on the request. Undefined leaves the field out.
 * @throws InputError if the value is refused
 */
export function interpretEmptyValue(
	{ isTool }: ParameterReader,
	field: Field,
	given: unknown,
	saved: unknown,
): 'unset' | 'send' | undefined {
	const meaning = getMeaning(field);
	const isUndefined = given === undefined || hasUndefinedEntry(given);
	const isFromExpression = isUndefined || hasExpression(saved);
	const isRefused: Record<RefusedValues, boolean> = {
		all: true,
		expressions: isFromExpression,
		fixed: !isFromExpression || (isUndefined && !isTool),
		// An AI model leaves out a field by passing nothing for it
		undefined: isUndefined && !isTool,
	};
	if (isRefused[REFUSED_VALUES[meaning]])
		throw createEmptyFieldError(field, isFromExpression && !isTool);
	// In a tool call, only 'Unset' clears a field
	return !isTool && (meaning === 'unset' || meaning === 'send') ? meaning : undefined;
}

/**
 * Creates the error for an empty field, with advice on how to fill in the field or leave it out.
 *
 * @param isFromExpression true if the empty value comes from an expression
 */
export function createEmptyFieldError(field: Field, isFromExpression: boolean): InputError {
	const { displayName, type, placeholder, modes } = field;
	const meaning = getMeaning(field);
	const problem = isFromExpression ? 'is empty: its expression returned no value' : 'is empty';
	if (type === 'collection') return new InputError(displayName, problem, 'Add at least one field.');
	if (isFromExpression) {
		const check = 'Check the field names in its expression, and that the fields have values.';
		const endings: Partial<Record<Meaning, string>> = {
			refuse: '',
			refuseExpression: ` To act as the app itself, clear '${displayName}'.`,
		};
		const ending =
			endings[meaning] ?? ` To leave '${displayName}' out, give null or an empty text.`;
		return new InputError(displayName, problem, `${check}${ending}`);
	}
	const [example] = /, e\.g\. .+/.exec(`, ${placeholder ?? modes?.at(-1)?.placeholder}`) ?? [''];
	const remove = meaning === 'refuseFixed' ? ', or remove it' : '';
	const advice = `Fill in '${displayName}'${example}${remove}.`;
	return new InputError(displayName, problem, advice);
}
