import { formatCount } from '../helpers/formatText';
import { InputError } from '../errors/inputError';
import type { Check } from '../types';

/** Minimum and maximum number of buttons of a choice. */
const MIN_CHOICES = 2;
const MAX_CHOICES = 10;

/** Maximum length of a button's label, in UTF-16 code units. */
const MAX_LABEL = 100;

/** Puts a label on one line, because the chat message lists all labels on one line. */
export const toLabel = (text: unknown): string => String(text).trim().replace(/\s+/g, ' ');

/** @returns the labels of two to ten buttons, all different */
export const checkChoices: Check = (value, label) => {
	const labels = [value]
		.flat()
		.map(toLabel)
		.filter((text) => text !== '');
	const refuse = (problem: string, advice: string) => new InputError(label, problem, advice);
	if (labels.length < MIN_CHOICES || labels.length > MAX_CHOICES) {
		throw refuse(
			`must be ${MIN_CHOICES} to ${MAX_CHOICES} labels, but there ${labels.length === 1 ? 'is' : 'are'} ${formatCount(labels.length)}`,
			'Enter a label for each button, e.g. ["Today", "Tomorrow"].',
		);
	}
	const long = labels.find(({ length }) => length > MAX_LABEL);
	if (long !== undefined) {
		throw refuse(
			`must be labels of at most ${MAX_LABEL} characters, but one starts with "${long.slice(0, 40)}"`,
			'Shorten the label, and explain it in the message.',
		);
	}
	const distinct = new Set(labels.map((text) => text.toLowerCase()));
	if (distinct.size === labels.length) return labels;
	throw refuse('must be different labels', 'Remove the label that is there twice.');
};
