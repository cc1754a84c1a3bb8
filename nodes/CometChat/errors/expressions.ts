import { toSingleLine, truncate } from '../helpers/formatText';

/**
 * Writes advice about the user's own expression.
 *
 * @param saved the parameter as the user saved it, e.g. `={{ $json.email }}`
 * @returns advice in whole sentences, or undefined if there is none for this expression
 */
export type AdviseOnExpression = (saved: string) => string | undefined;

/** Splits a text at its code. The code, including its double braces, is at odd indexes. */
function splitAtCode(text: string): string[] {
	const parts: string[] = [];
	let end = 0;
	for (;;) {
		const start = text.indexOf('{{', end);
		const closing = start === -1 ? -1 : text.indexOf('}}', start + 2);
		if (closing === -1) return [...parts, text.slice(end)];
		parts.push(text.slice(end, start), text.slice(start, closing + 2));
		end = closing + 2;
	}
}

/** Splits an expression into its texts and, at odd indexes, the code between double braces. */
const splitExpression = (saved: string): string[] =>
	splitAtCode(saved.replace(/^=/, '')).map((part, index) =>
		index % 2 === 1 ? part.slice(2, -2).trim() : part,
	);

/** Matches code that a method call can follow without parentheses around the code, e.g. `$json.user["email"]`. */
const CHAINABLE_CODE_PATTERN =
	/^(?:\$|\$?\w+)(?:\(\s*(?:(?:'[^']*'|"[^"]*")\s*)?\)|\[(?:\d+|'[^']*'|"[^"]*")\]|\??\.[A-Za-z_$]\w*)*$/;

/** Puts code in parentheses, unless a method call can follow the code without them. */
export const parenthesizeIfNeeded = (code: string): string =>
	CHAINABLE_CODE_PATTERN.test(code) ? code : `(${code})`;

/**
 * @param saved parameter as the user saved it
 * @param changeText changes the text around the code
 * @param changeCode changes code. `isWhole` is true if only white space surrounds the code.
 * @returns the new expression, or undefined if the parameter contains no code
 */
export function rewriteExpression(
	saved: string,
	changeText: (text: string) => string,
	changeCode: (code: string, isWhole: boolean) => string,
): string | undefined {
	const parts = splitExpression(saved);
	if (parts.length === 1) return undefined;
	const isWhole = parts.length === 3 && parts[0]?.trim() === '' && parts[2]?.trim() === '';
	const rewritten = parts.map((part, index) => {
		if (index % 2 === 1) return `{{ ${changeCode(part, isWhole)} }}`;
		return isWhole ? '' : changeText(part);
	});
	return rewritten.join('');
}

/**
 * Adds a method call to an expression that consists of code alone, e.g. `{{ $json.names.join(', ') }}`. Returns
 * undefined for any other expression.
 */
export function appendToExpression(saved: string, call: string): string | undefined {
	const parts = splitExpression(saved);
	if (parts.length !== 3 || parts[0] !== '' || parts[2]?.trim() !== '') return undefined;
	return `{{ ${parenthesizeIfNeeded(parts[1] ?? '')}${call} }}`;
}

/** Matches a character, or a backslash and the character that it escapes. */
const CHARACTER_OR_ESCAPE_PATTERN = /\\?[^]/g;

/**
 * Splits a JSON template into its texts, including their quotes and code, and the code outside of texts.
 * `unclosedText` is a text without a closing quote, or an empty string.
 */
function listJsonTextsAndCode(template: string): { parts: string[]; unclosedText: string } {
	const parts: string[] = [];
	/** JSON string read so far, with its opening quote. Empty outside of strings. */
	let text = '';
	for (const [index, part] of splitAtCode(template).entries()) {
		const isCode = index % 2 === 1;
		for (const token of isCode ? [part] : (part.match(CHARACTER_OR_ESCAPE_PATTERN) ?? [])) {
			if (text === '' && token !== '"') {
				if (isCode) parts.push(token);
				continue;
			}
			text += token;
			if (token !== '"' || text === '"') continue;
			parts.push(text);
			text = '';
		}
	}
	return { parts, unclosedText: text };
}

/** Maximum number of characters that advice quotes from a JSON text without a closing quote. */
const MAX_UNCLOSED_LENGTH = 30;

/** Maximum number of replacements to list in advice. */
const MAX_REPLACEMENTS = 3;

/** Returns code that creates the JSON for a part of a template, e.g. `JSON.stringify($json.name)`. */
function toStringifyCode(part: string): string {
	const isText = part.startsWith('"');
	const parts = splitExpression(isText ? part.slice(1, -1) : part);
	if (parts.length === 3 && parts[0] === '' && parts[2] === '') {
		return `JSON.stringify(${parts[1]})`;
	}
	const template = parts.map((each, index) =>
		index % 2 === 1 ? `\${${each}}` : each.replace(/`|\$\{/g, '\\$&'),
	);
	return `JSON.stringify(\`${template.join('')}\`)`;
}

/**
 * Advises how to repair a JSON template: names a text without a closing quote, or shows how to insert values that
 * contain quotes or line breaks.
 */
export const adviseJsonTemplate: AdviseOnExpression = (saved) => {
	if (appendToExpression(saved, '') !== undefined) return undefined;
	const { parts, unclosedText } = listJsonTextsAndCode(saved.slice(1));
	if (unclosedText !== '') {
		return `The JSON text that starts with ${toSingleLine(truncate(unclosedText, MAX_UNCLOSED_LENGTH))} has no closing quote.`;
	}
	const broken = parts.filter(
		(part) => part.includes('{{') && !/JSON\.stringify|toJsonString/.test(part),
	);
	const replacements = broken
		.slice(0, MAX_REPLACEMENTS)
		.map((part) => `{{ ${toStringifyCode(part)} }} in place of ${part}`);
	if (replacements.length === 0) return undefined;
	const more = broken.length > MAX_REPLACEMENTS ? ', and so on' : '';
	return `A value with quotes or line breaks breaks the JSON. Write ${replacements.join(', ')}${more}.`;
};
