import { InputError, isEmpty, toText } from './input';

/**
 * Makes one value exactly one segment of a path, whatever it holds. Slashes, `#`, `?` and every
 * character beyond ASCII are percent-encoded as UTF-8; code points are never normalised, because
 * the service removes only the very reaction that was added.
 *
 * @throws InputError for what no segment can carry: nothing, `.` and `..` (which would be resolved
 * away and hit another endpoint), and half a surrogate pair
 * @see https://url.spec.whatwg.org/#double-dot-path-segment
 */
export function pathSegment(field: string, value: unknown): string {
	if (isEmpty(value)) throw new InputError(field, 'is empty', `Fill in "${field}".`);
	const text = toText(field, value);
	if (text === '.' || text === '..') {
		throw new InputError(
			field,
			`must not be "${text}"`,
			'It would change the address of the request.',
		);
	}
	return encodeURIComponent(text);
}

/**
 * Fills a path template such as `/messages/{messageId}/reactions/{reaction}`, as in OpenAPI.
 *
 * @param valueOf gives the field's label and its value for each name in braces
 */
export function expandPath(
	template: string,
	valueOf: (name: string) => { field: string; value: unknown },
): string {
	return template.replace(/\{(\w+)\}/g, (_, name: string) => {
		const { field, value } = valueOf(name);
		return pathSegment(field, value);
	});
}
