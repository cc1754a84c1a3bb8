import { stringifyJson } from './json';

/** Prefix that marks a text as a number. Random, so that no other text starts with this prefix. */
const MARK = `number ${String(Math.random()).slice(2)} `;

/** Matches a marked text in JSON, and captures the number. */
const MARKED = new RegExp(`"${MARK}([^"]*)"`, 'g');

/**
 * Matches a string or a number in JSON. Also matches a string without a closing quote, because the search would
 * otherwise take quadratic time in invalid JSON.
 */
const STRING_OR_NUMBER_PATTERN = /"[^"\\]*(?:\\[^][^"\\]*)*"?|-?\d[\d.eE+-]*/g;

/**
 * Parses JSON without changing numbers. A number that JavaScript would write differently, e.g.
 * 761591733749525123 or 1.0, becomes a marked text, which `toJsonRestoringMarkedNumbers` writes as the same number.
 *
 * @throws SyntaxError if the text isn't valid JSON
 */
export function parseJsonMarkingNumbersToRestore(text: string): unknown {
	return JSON.parse(
		text.replace(STRING_OR_NUMBER_PATTERN, (token) =>
			token.startsWith('"') || String(Number(token)) === token ? token : `"${MARK}${token}"`,
		),
	);
}

/** Like `stringifyJson`, but writes the marked texts from `parseJsonMarkingNumbersToRestore` as numbers. */
export const toJsonRestoringMarkedNumbers = (value: unknown): string | undefined =>
	stringifyJson(value)?.replace(MARKED, '$1');

/** Matches 16 digits. V8 searches for 16 written-out `\d` several times as fast as for `\d{16}`. */
const LONG_DIGITS_PATTERN = /\d\d\d\d\d\d\d\d\d\d\d\d\d\d\d\d/;

/** Matches the start of a number with at least 16 digits in an object or list. Can also match inside a string. */
const LONG_NUMBER_PATTERN = /[[:,]\s*-?\d{16}/;

const isUnsafeInteger = (token: string) =>
	Number.isInteger(Number(token)) && !Number.isSafeInteger(Number(token));

/**
 * Parses JSON. In an object or list, an integer that JavaScript might round becomes text, so that every digit is
 * kept. Returns text that isn't JSON unchanged.
 */
export function parseJsonOrText(text: string): unknown {
	try {
		if (!LONG_DIGITS_PATTERN.test(text) || !LONG_NUMBER_PATTERN.test(text)) return JSON.parse(text);
		return JSON.parse(
			text.replace(STRING_OR_NUMBER_PATTERN, (token) =>
				!token.startsWith('"') && isUnsafeInteger(token) ? `"${token}"` : token,
			),
		);
	} catch {
		return text;
	}
}
