import { toTrimmedText, isObjectOrArray, isObject, stringifyJson } from './json';

/** Placeholder for a redacted text, e.g. the API key. */
export const REDACTED = '**********';

/**
 * Minimum length of an API key. A shorter key could match unrelated strings, which would then be redacted.
 */
export const MIN_SECRET_LENGTH = 8;

/** Number of levels to keep in a value that is nested too deeply for `JSON.stringify`. */
const LEVELS_KEPT_IF_TOO_DEEP = 1_000;

/** Text that replaces an object or a list nested deeper than `LEVELS_KEPT_IF_TOO_DEEP`. */
const TOO_DEEP = 'Nested too deeply for n8n';

function limitLevels(value: unknown, level = 0): unknown {
	if (!isObjectOrArray(value)) return value;
	if (level === LEVELS_KEPT_IF_TOO_DEEP) return TOO_DEEP;
	if (Array.isArray(value)) return value.map((inner) => limitLevels(inner, level + 1));
	const entries = Object.entries(value);
	return Object.fromEntries(entries.map(([name, inner]) => [name, limitLevels(inner, level + 1)]));
}

/**
 * Function that redacts a secret, e.g. the API key, in a JSON value, including property names. A value that doesn't
 * contain the secret is returned unchanged, unless the value is nested too deeply for `JSON.stringify`.
 */
export type Redact = <T>(value: T) => T;

/**
 * Creates a function that redacts a secret in values that are shown or stored. CometChat's authentication errors
 * can repeat the API key. A secret shorter than `MIN_SECRET_LENGTH` isn't redacted.
 *
 * @param secret the API key or another secret, possibly surrounded by white space
 */
export function createSecretRedactor(secret: unknown): Redact {
	const key = toTrimmedText(secret);
	if (key.length < MIN_SECRET_LENGTH) return (value) => value;
	const redactText = (text: string) => text.replaceAll(key, REDACTED);
	const redactValue = (_: string, value: unknown): unknown => {
		if (typeof value === 'string') return redactText(value);
		if (!isObject(value)) return value;
		const entries = Object.entries(value);
		return Object.fromEntries(entries.map(([name, inner]) => [redactText(name), inner]));
	};
	const escapedKey = JSON.stringify(key).slice(1, -1);
	const redact: Redact = (value) => {
		const json = stringifyJson(value);
		return json?.includes(escapedKey) ? (JSON.parse(json, redactValue) as typeof value) : value;
	};
	return (value) => {
		try {
			return redact(value);
		} catch {
			// JSON.stringify fails only for a value that is nested too deeply. Throwing would report a completed change
			// as failed
			return redact(limitLevels(value) as typeof value);
		}
	};
}
