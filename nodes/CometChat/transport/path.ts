/** True if a text can be encoded as UTF-8. A text with half of an emoji can't. */
export function isWellFormed(text: string): boolean {
	try {
		encodeURIComponent(text);
		return true;
	} catch {
		return false;
	}
}

/**
 * Describes why a text can't be a segment of a path. `.` and `..` would lead to another endpoint.
 *
 * @returns words that follow the name of the field, e.g. "is empty"; undefined for a valid segment
 * @see https://url.spec.whatwg.org/#double-dot-path-segment
 */
export function findSegmentProblem(text: string): string | undefined {
	if (text === '') return 'is empty';
	if (!isWellFormed(text)) return 'contains an incomplete emoji';
	return text === '.' || text === '..' ? `must not be "${text}"` : undefined;
}

/**
 * Fills a path template as in OpenAPI, such as `/messages/{messageId}/reactions/{reaction}`. Each value
 * becomes exactly one segment, with all special characters percent-encoded. Texts are never normalized,
 * because CometChat removes a reaction only if all code points match.
 */
export function expandPath(template: string, values: Readonly<Record<string, unknown>>): string {
	return template.replace(/\{(\w+)\}/g, (_, name: string) =>
		encodeURIComponent(String(values[name])),
	);
}
