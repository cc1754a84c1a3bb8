import { isObject } from './json';

/** Replaces the API key. */
export const REDACTED = '**********';

/** Minimum length of a key to look for: a shorter text would match too much. */
export const MIN_SECRET_LENGTH = 8;

/** Maximum depth of a copy. No response of CometChat is that deep, and a deeper one could overflow the stack. */
const MAX_DEPTH = 100;

/** Removes a secret from any JSON value and its property names. Returns a value without the secret as it is. */
export type Redact = <T>(value: T) => T;

/**
 * Makes a function that removes the API key from everything that is shown or stored: CometChat's
 * authentication errors can repeat the key.
 *
 * @param secret the API key of the credential, perhaps pasted with white space around it
 */
function buildRedactor(secret: unknown): Redact {
	const key = typeof secret === 'string' || typeof secret === 'number' ? String(secret).trim() : '';
	if (key.length < MIN_SECRET_LENGTH) return (value) => value;
	const clean = (value: unknown, depth: number): unknown => {
		if (typeof value === 'string') return value.replaceAll(key, REDACTED);
		if (typeof value !== 'object' || value === null) return value;
		if (depth >= MAX_DEPTH) return '…';
		if (Array.isArray(value)) return value.map((entry) => clean(entry, depth + 1));
		const entries = Object.entries(value).map(([name, entry]) => [
			clean(name, depth),
			clean(entry, depth + 1),
		]);
		return Object.fromEntries(entries);
	};
	return <T>(value: T) => (includesKey(value, key) ? (clean(value, 0) as T) : value);
}

let last: { secret: unknown; redact: Redact } = { secret: undefined, redact: (value) => value };

/** Returns the same function for all items of a run, although n8n reads the credential for each item. */
export function createRedactor(secret: unknown): Redact {
	if (last.secret !== secret) last = { secret, redact: buildRedactor(secret) };
	return last.redact;
}

/** Searches all texts and property names in a value, without recursion, so that no depth overflows the stack. */
function includesKey(value: unknown, key: string): boolean {
	const rest: unknown[] = [value];
	while (rest.length > 0) {
		const next = rest.pop();
		if (typeof next === 'string') {
			if (next.includes(key)) return true;
		} else if (Array.isArray(next)) {
			for (const entry of next) rest.push(entry);
		} else if (isObject(next)) {
			for (const name in next) {
				if (name.includes(key)) return true;
				rest.push(next[name]);
			}
		}
	}
	return false;
}
