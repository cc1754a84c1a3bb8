import { asTrimmedText, isObject, toJson } from './json';

/** Placeholder that replaces the API key. */
export const REDACTED = '**********';

/**
 * Minimum length of an API key. A shorter key could match unrelated strings, which would then be redacted.
 */
export const MIN_SECRET_LENGTH = 8;

/**
 * Redacts the API key in a JSON value, including property names. A value that doesn't contain the key is
 * returned unchanged.
 */
export type Redact = <T>(value: T) => T;

/**
 * Creates a function that redacts the API key in values that are shown or stored. CometChat's authentication
 * errors can repeat the key.
 *
 * @param secret the credential's API key, possibly surrounded by white space
 */
export function createRedactor(secret: unknown): Redact {
	const key = asTrimmedText(secret);
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
		const json = toJson(value);
		return json?.includes(escapedKey) ? (JSON.parse(json, redactValue) as typeof value) : value;
	};
}
