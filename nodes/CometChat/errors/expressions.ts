/**
 * Writes advice that contains the user's own expression.
 *
 * @param saved the parameter as the user saved it, e.g. `={{ $json.email }}`
 * @returns advice in whole sentences, or undefined if the expression doesn't help
 */
export type ExpressionAdvice = (saved: string) => string | undefined;

/** Splits an expression into its texts and, at odd indexes, the code between double braces. */
const splitExpression = (saved: string): string[] =>
	saved.replace(/^=/, '').split(/\{\{\s*([\s\S]*?)\s*\}\}/);

/** Matches code whose value has methods without parentheses around the code, e.g. `$json.user["email"]`. */
const CHAIN =
	/^(?:\$|\$?\w+)(?:\(\s*(?:'[^']*'|"[^"]*")?\s*\)|\[(?:\d+|'[^']*'|"[^"]*")\]|\??\.[A-Za-z_$]\w*)*$/;

/** Returns code that can be followed by a method call. */
export const inParentheses = (code: string): string => (CHAIN.test(code) ? code : `(${code})`);

/**
 * Rewrites an expression.
 *
 * @param changeText changes the text around the code
 * @param changeCode changes code. `isWhole` is true if the expression contains nothing else.
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

/** Adds a method call to an expression that consists of code alone, e.g. `{{ $json.names.join(', ') }}`. */
export function appendToExpression(saved: string, call: string): string | undefined {
	const parts = splitExpression(saved);
	if (parts.length !== 3 || parts[0] !== '' || parts[2]?.trim() !== '') return undefined;
	return `{{ ${inParentheses(parts[1] ?? '')}${call} }}`;
}

/** Matches a text in a JSON template, or code outside of texts. */
const JSON_PART = /"(?:\\.|\{\{[\s\S]*?\}\}|[^"\\])*"|\{\{[\s\S]*?\}\}/g;

/** Maximum number of replacements to list in advice. */
const MAX_REPLACEMENTS = 3;

/** Returns code that creates the JSON of a text in a template, e.g. `JSON.stringify($json.name)`. */
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

/** Advises how to insert values into a JSON template so that quotes and line breaks don't break the JSON. */
export const adviseJsonTemplate: ExpressionAdvice = (saved) => {
	const isTemplate = appendToExpression(saved, '') === undefined;
	const parts = isTemplate ? (saved.slice(1).match(JSON_PART) ?? []) : [];
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
