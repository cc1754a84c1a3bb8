import { isObject } from './json';

/** Stands where the API key was. */
export const REDACTED = '**********';

/** Shortest key that is looked for: a shorter one would be found in every text. */
export const MIN_SECRET_LENGTH = 8;

/** Depth from which values are cut off in a copy: no response of the service is that deep. */
const MAX_DEPTH = 100;

/** Takes a secret out of any JSON value, keys included; what does not hold it is returned as it is. */
export type Redact = <T>(value: T) => T;

/**
 * Takes a secret out of everything that is shown or stored: the service's auth errors can echo the
 * key that they refuse.
 *
 * @param secret as typed into the credential; found with and without surrounding white space, in any
 * case, percent-encoded, HTML-escaped, JSON-escaped and in Base64
 */
function newRedactor(secret: unknown): Redact {
	const typed = typeof secret === 'string' || typeof secret === 'number' ? String(secret) : '';
	if (typed.trim().length < MIN_SECRET_LENGTH) return (value) => value;
	const forms = [...new Set([typed, typed.trim()].flatMap(formsOf))].sort(
		(a, b) => b.length - a.length,
	);
	const pattern = new RegExp(
		forms.map((form) => form.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')).join('|'),
		'gi',
	);
	const shortest = Math.min(...forms.map(({ length }) => length));
	const holds = (text: string) => text.length >= shortest && text.search(pattern) >= 0;
	const clean = (value: unknown, depth: number): unknown => {
		if (typeof value === 'string') return value.replace(pattern, REDACTED);
		if (typeof value !== 'object' || value === null) return value;
		if (depth >= MAX_DEPTH) return '…';
		if (Array.isArray(value)) return value.map((entry) => clean(entry, depth + 1));
		const entries = Object.entries(value).map(([key, entry]) => [
			clean(key, depth),
			clean(entry, depth + 1),
		]);
		return Object.fromEntries(entries);
	};
	return <T>(value: T) => (isIn(value, holds) ? (clean(value, 0) as T) : value);
}

let last: { secret: unknown; redact: Redact } = { secret: undefined, redact: (value) => value };

/** Made once for the items of a run, though each has credentials of its own: see `newRedactor`. */
export function redactor(secret: unknown): Redact {
	if (last.secret !== secret) last = { secret, redact: newRedactor(secret) };
	return last.redact;
}

/** Looks at every text in a value. It keeps a list of its own, so that no depth overflows the stack. */
function isIn(value: unknown, holds: (text: string) => boolean): boolean {
	const rest: unknown[] = [value];
	while (rest.length > 0) {
		const next = rest.pop();
		if (typeof next === 'string') {
			if (holds(next)) return true;
		} else if (Array.isArray(next)) {
			for (const entry of next) rest.push(entry);
		} else if (isObject(next)) {
			for (const key in next) {
				if (holds(key)) return true;
				rest.push(next[key]);
			}
		}
	}
	return false;
}

function formsOf(text: string): string[] {
	return [text, percentEncoded(text), htmlEscaped(text), jsonEscaped(text), ...inBase64(text)];
}

function percentEncoded(text: string): string {
	try {
		return encodeURIComponent(text);
	} catch {
		return text; // half of a surrogate pair: no request can carry such a key
	}
}

const HTML_ENTITIES: Record<string, string> = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	'"': '&quot;',
	"'": '&#39;',
};

export function htmlEscaped(text: string): string {
	return text.replace(/[&<>"']/g, (character) => HTML_ENTITIES[character]);
}

function jsonEscaped(text: string): string {
	return JSON.stringify(text).slice(1, -1);
}

/** What all Base64 texts have in common that hold a text: at each of its three alignments. */
function inBase64(text: string): string[] {
	if (!/^[\x20-\x7e]+$/.test(text)) return [];
	return [0, 1, 2].map((offset) => {
		const encoded = btoa('\0'.repeat(offset) + text).replace(/=+$/, '');
		// Characters at both ends that depend on what stands before and after
		const start = offset === 0 ? 0 : offset + 1;
		const isWhole = (offset + text.length) % 3 === 0;
		return encoded.slice(start, isWhole ? undefined : -1);
	});
}
