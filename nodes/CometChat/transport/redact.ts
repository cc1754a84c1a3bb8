/** Stands where the API key was. */
export const REDACTED = '**********';

/**
 * Takes a secret out of everything that is shown or stored: the service's auth errors can echo the
 * key that they refuse.
 *
 * @param secret as typed into the credential; replaced with and without surrounding white space,
 * percent-encoded or not, in any case
 * @returns a function that gives a copy of any JSON value without the secret, keys included
 */
export function redactor(secret: unknown): <T>(value: T) => T {
	const typed = typeof secret === 'string' || typeof secret === 'number' ? String(secret) : '';
	if (typed.trim() === '') return (value) => value;
	const forms = new Set([typed, typed.trim()].flatMap((form) => [form, encoded(form)]));
	const patterns = [...forms]
		.sort((a, b) => b.length - a.length)
		.map((form) => form.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
	const pattern = new RegExp(patterns.join('|'), 'gi');
	const clean = (value: unknown): unknown => {
		if (typeof value === 'string') return value.replace(pattern, REDACTED);
		if (Array.isArray(value)) return value.map(clean);
		if (typeof value === 'object' && value !== null) {
			return Object.fromEntries(
				Object.entries(value).map(([key, entry]) => [clean(key), clean(entry)]),
			);
		}
		return value;
	};
	return <T>(value: T) => clean(value) as T;
}

function encoded(text: string): string {
	try {
		return encodeURIComponent(text);
	} catch {
		return text;
	}
}
