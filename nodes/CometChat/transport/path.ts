/** Whether no emoji in a text was cut in the middle: UTF-8 has no half of one. */
export function isWellFormed(text: string): boolean {
	try {
		encodeURIComponent(text);
		return true;
	} catch {
		return false;
	}
}

/**
 * Why no segment of a path can carry a text, as words that go on from the name of the field: `.` and
 * `..` would be resolved away, and hit another endpoint.
 *
 * @returns undefined when one can
 * @see https://url.spec.whatwg.org/#double-dot-path-segment
 */
export function findSegmentProblem(text: string): string | undefined {
	if (text === '') return 'is empty';
	if (!isWellFormed(text)) return 'contains an incomplete emoji';
	return text === '.' || text === '..' ? `must not be "${text}"` : undefined;
}

/**
 * Fills a path template as in OpenAPI, such as `/messages/{messageId}/reactions/{reaction}`. Each text
 * becomes exactly one segment, whatever it holds: slashes, `#`, `?` and every character beyond ASCII
 * are percent-encoded as UTF-8. Code points are never normalised, because the service removes only the
 * very reaction that was added.
 *
 * @param textOf gives the text for a name in braces
 */
export function expandPath(template: string, textOf: (name: string) => string): string {
	return template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(textOf(name)));
}
