/**
 * Describes why a string can't be a path segment. `.` and `..` would lead to another endpoint.
 *
 * @returns the end of a sentence about the field, e.g. "is empty", or undefined for a valid segment
 * @see https://url.spec.whatwg.org/#double-dot-path-segment
 */
export function findSegmentProblem(text: string): string | undefined {
	if (text === '') return 'is empty';
	if (!text.isWellFormed()) return 'contains an incomplete emoji';
	return text === '.' || text === '..' ? `must not be "${text}"` : undefined;
}

const PLACEHOLDER_PATTERN = /\{(\w+)\}/g;

/** Lists the placeholder names in a path template, e.g. "messageId" for `/messages/{messageId}`. */
export const listPlaceholders = (template: string): string[] =>
	[...template.matchAll(PLACEHOLDER_PATTERN)].map(([, name = '']) => name);

/**
 * Fills an OpenAPI-style path template, such as `/messages/{messageId}/reactions/{reaction}`. Each value
 * becomes one segment, with special characters percent-encoded. Unicode normalization is never applied, because
 * CometChat removes a reaction only if all code points match.
 *
 * @param values values without a problem according to `findSegmentProblem`
 * @throws URIError if a value contains an incomplete emoji
 */
export function expandPath(template: string, values: Readonly<Record<string, unknown>>): string {
	return template.replace(PLACEHOLDER_PATTERN, (_, name: string) =>
		encodeURIComponent(String(values[name])),
	);
}
