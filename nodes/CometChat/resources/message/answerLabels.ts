import {
	formatNumber,
	removeInvisibleAndTrim,
	toSingleLine,
	truncateWithoutEllipsis,
} from '../../helpers/formatText';
import { InputError } from '../../errors/describedErrors';
import type { ValidatingConverter } from '../../types';

/** Minimum and maximum number of answers to choose from. Each answer has a button. */
const MIN_CHOICES = 2;
const MAX_CHOICES = 10;

/** Maximum length of a button's label, in UTF-16 code units. */
const MAX_LABEL = 100;

const LONG_LABEL_ADVICE = 'Shorten the label, and explain it in the message.';

const isBlank = (label: string): boolean => removeInvisibleAndTrim(label) === '';

/** Removes invisible characters from a label, normalizes Unicode, and converts the label to lower case. */
const toComparableLabel = (label: string): string =>
	removeInvisibleAndTrim(label).normalize().toLowerCase();

/** True if two labels differ at most in case and in invisible characters. */
export const isSameButtonLabel = (label: string, other: string): boolean =>
	toComparableLabel(label) === toComparableLabel(other);

/** @returns a button's label on one line, because the chat message lists all labels on one line */
export const cleanAndCheckButtonLabel: ValidatingConverter = (value, field) => {
	const label = toSingleLine(String(value));
	if (isBlank(label)) throw new InputError(field, 'has no visible characters');
	if (label.length <= MAX_LABEL) return label;
	throw new InputError(field, `is longer than ${MAX_LABEL} characters`, LONG_LABEL_ADVICE);
};

/** @returns the labels of two to ten buttons, all different. Blank labels are removed. */
export const cleanAndCheckChoices: ValidatingConverter = (value, field) => {
	const labels = [value]
		.flat()
		.map((text) => toSingleLine(String(text)))
		.filter((text) => !isBlank(text));
	const refuse = (problem: string, advice: string) => new InputError(field, problem, advice);
	if (labels.length < MIN_CHOICES || labels.length > MAX_CHOICES) {
		throw refuse(
			`must be ${MIN_CHOICES} to ${MAX_CHOICES} labels, but there ${labels.length === 1 ? 'is' : 'are'} ${formatNumber(labels.length)}`,
			'Enter a different label for each button, e.g. ["Today", "Tomorrow"].',
		);
	}
	const long = labels.find(({ length }) => length > MAX_LABEL);
	if (long !== undefined) {
		throw refuse(
			`must be labels of at most ${MAX_LABEL} characters, but one starts with "${truncateWithoutEllipsis(long, 40)}"`,
			LONG_LABEL_ADVICE,
		);
	}
	const distinct = new Set(labels.map(toComparableLabel));
	if (distinct.size === labels.length) return labels;
	throw refuse('must be different labels', 'Remove the label that is there twice.');
};
