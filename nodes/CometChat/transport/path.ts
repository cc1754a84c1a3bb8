/**
 * Why no segment of a path can carry a text, as words that go on from the name of the field: `.` and
 * `..` would be resolved away, and hit another endpoint.
 *
 * @returns undefined when one can
 * @see https://url.spec.whatwg.org/#double-dot-path-segment
 */
export function segmentProblem(text: string): string | undefined {
	if (text === '') return 'is empty';
	return text === '.' || text === '..' ? `must not be "${text}"` : undefined;
}

/**
 * Makes one text exactly one segment of a path, whatever it holds. Slashes, `#`, `?` and every
 * character beyond ASCII are percent-encoded as UTF-8; code points are never normalised, because
 * the service removes only the very reaction that was added.
 */
export function pathSegment(text: string): string {
	return encodeURIComponent(text);
}

/** The names in braces of a path template such as `/messages/{messageId}/reactions/{reaction}`. */
export function namesIn(template: string): string[] {
	return [...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
}

/** Fills a path template, as in OpenAPI, with segments that are already encoded. */
export function expandPath(template: string, segments: Readonly<Record<string, string>>): string {
	return template.replace(/\{(\w+)\}/g, (_, name: string) => segments[name]);
}
