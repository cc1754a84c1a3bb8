import { jsonParse } from 'n8n-workflow';

import { createBrokenJsonError } from '../errors/brokenJson';
import { InputError } from '../errors/describedErrors';
import { formatValueForError } from '../helpers/formatText';
import { isNullishOrBlankOrEmptyList, toChoice, toTextWithinLimit } from './texts';

/** Matches the start of a JSON list of texts. Allows single quotes, to recognize a list with the wrong quotes. */
const TEXT_LIST_START_PATTERN = /^\s*\[\s*["']/;

/**
 * Returns a JSON list's entries, or undefined if the text isn't a list.
 *
 * @param isEntry true if the text is itself an entry of a list. Then only a JSON list of texts is parsed, and "[1]"
 * stays a text.
 * @throws InputError if the text starts like a list of texts, but isn't valid JSON
 */
function parseJsonList(label: string, text: string, isEntry: boolean): unknown[] | undefined {
	if (!text.trim().startsWith('[')) return undefined;
	if (isEntry && !TEXT_LIST_START_PATTERN.test(text)) return undefined;
	const parsed: unknown = jsonParse(text, { fallbackValue: null });
	if (Array.isArray(parsed)) return parsed as unknown[];
	if (!TEXT_LIST_START_PATTERN.test(text)) return undefined;
	throw createBrokenJsonError(label, text, 'Give a list such as ["a", "b"].');
}

/** Trims a line, and drops the comma at its end. */
const dropFinalComma = (line: string) => line.trim().replace(/,$/, '');

/**
 * Splits a value into texts:
 *
 * - a list or the JSON of a list into its entries
 * - a text with several lines into its lines
 * - any other text at commas, unless the text is an entry of a list
 *
 * @throws InputError for an entry that `toTextWithinLimit` refuses, or for broken JSON
 */
function splitUntrimmed(
	label: string,
	value: unknown,
	takesBooleans: boolean,
	isEntry = false,
): string[] {
	if (Array.isArray(value)) {
		return value.flatMap((entry) => splitUntrimmed(label, entry, takesBooleans, true));
	}
	if (isNullishOrBlankOrEmptyList(value)) return [];
	if (takesBooleans && isEntry && typeof value === 'boolean') return [String(value)];
	const text = toTextWithinLimit(label, value, Infinity);
	const list = parseJsonList(label, text, isEntry);
	if (list) return splitUntrimmed(label, list, takesBooleans);
	if (text.trim().includes('\n')) return text.split('\n').map(dropFinalComma);
	return isEntry ? [text] : text.split(',');
}

/**
 * Converts a list, a JSON list, or a text with commas or several lines to distinct, trimmed, non-empty strings.
 *
 * @param rules `allowed` limits the strings to these choices. `takesBooleans` converts a list's booleans to "true" and
 * "false" instead of refusing them.
 * @throws InputError for an entry that `toTextWithinLimit` refuses or that isn't one of the choices, or for broken JSON
 */
export function toDistinctTexts(
	label: string,
	value: unknown,
	{ allowed, takesBooleans = false }: { allowed?: readonly string[]; takesBooleans?: boolean } = {},
): string[] {
	const texts = splitUntrimmed(label, value, takesBooleans)
		.map((text) => text.trim())
		.filter((text) => text !== '')
		.map((text) => (allowed ? toChoice(label, text, allowed) : text));
	return [...new Set(texts)];
}

/**
 * Joins texts with commas, the format in which CometChat expects several values in one query parameter.
 *
 * @throws InputError if a text contains a comma
 */
export function joinCheckedForQuery(label: string, texts: unknown[]): string {
	const divided = texts.find((text) => String(text).includes(','));
	if (divided === undefined) return texts.join(',');
	throw new InputError(
		label,
		`contains ${formatValueForError(divided)}, which has a comma`,
		'CometChat separates values by commas, so it cannot search for a value that contains one.',
	);
}
