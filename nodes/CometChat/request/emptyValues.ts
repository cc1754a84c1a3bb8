import { InputError } from '../errors/describedErrors';
import type { Field } from '../types';
import { savedValueHasExpression, type ParameterReader } from './parameterReader';

/** Meaning of an empty value: a value of `Field.whenEmpty`, or by default 'leaveOut'. */
type Meaning = NonNullable<Field['whenEmpty']> | 'leaveOut';

/**
 * Empty values to refuse. Outside tools, each kind includes `undefined`, which usually comes from an expression with a
 * misspelled field name.
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
export const isListWithUndefined = (given: unknown) =>
	Array.isArray(given) && given.includes(undefined);

/**
 * Returns the effect of an empty value on the request.
 *
 * @param given the value, with expressions resolved
 * @param saved the value as the user saved it
 * @returns 'unset' to clear the field in CometChat, 'send' to send an empty list, or undefined to leave the field out
 * @throws InputError if the value is refused
 */
export function decideEffectOfEmptyValue(
	{ isTool }: ParameterReader,
	field: Field,
	given: unknown,
	saved: unknown,
): 'unset' | 'send' | undefined {
	const meaning = getMeaning(field);
	const isUndefined = given === undefined || isListWithUndefined(given);
	const isFromExpression = isUndefined || savedValueHasExpression(saved);
	const isRefused: Record<RefusedValues, boolean> = {
		all: true,
		expressions: isFromExpression,
		fixed: !isFromExpression || (isUndefined && !isTool),
		// In a tool, undefined is allowed, because an AI model leaves out a field by passing nothing for it
		undefined: isUndefined && !isTool,
	};
	if (isRefused[REFUSED_VALUES[meaning]])
		throw createEmptyFieldError(field, isFromExpression && !isTool);
	// In a tool, an empty value never clears a field. To clear fields, the model uses the 'Unset' field
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
