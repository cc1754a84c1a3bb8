import { isObject } from './json';

/** Replaces the API key. */
export const REDACTED = '**********';

/** Minimum length of an API key. A shorter text would match unrelated text. */
export const MIN_SECRET_LENGTH = 8;

/** Removes the API key from a JSON value and its property names. Returns a value without the key unchanged. */
export type Redact = <T>(value: T) => T;

/**
 * Creates a function that removes the API key from everything that is shown or stored, because
 * CometChat's authentication errors can repeat the key.
 *
 * @param secret API key of the credential, perhaps with white space around the key
 */
export function createRedactor(secret: unknown): Redact {
	const key = typeof secret === 'string' || typeof secret === 'number' ? String(secret).trim() : '';
	if (key.length < MIN_SECRET_LENGTH) return (value) => value;
	const redactText = (text: string) => text.replaceAll(key, REDACTED);
	const redactValue = (_: string, value: unknown): unknown => {
		if (typeof value === 'string') return redactText(value);
		if (!isObject(value)) return value;
		const entries = Object.entries(value);
		return Object.fromEntries(entries.map(([name, inner]) => [redactText(name), inner]));
	};
	const escapedKey = JSON.stringify(key).slice(1, -1);
	return (value) => {
		const json: string | undefined = JSON.stringify(value);
		return json?.includes(escapedKey) ? JSON.parse(json, redactValue) : value;
	};
}
