/** A value that no segment of a path can carry. The message goes on from the name of the field. */
export class SegmentError extends Error {}

/**
 * Makes one value exactly one segment of a path, whatever it holds. Slashes, `#`, `?` and every
 * character beyond ASCII are percent-encoded as UTF-8; code points are never normalised, because
 * the service removes only the very reaction that was added.
 *
 * @throws SegmentError for what no segment can carry: nothing, and `.` and `..`, which would be
 * resolved away and hit another endpoint
 * @see https://url.spec.whatwg.org/#double-dot-path-segment
 */
export function pathSegment(text: string): string {
	if (text === '') throw new SegmentError('is empty');
	if (text === '.' || text === '..') throw new SegmentError(`must not be "${text}"`);
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
