/**
 * Every text that is held anywhere in a value: names and values of all properties, hidden ones such
 * as an error's `stack` and those behind symbols included, in maps and sets too.
 */
function textsIn(value: unknown, seen = new Set<unknown>()): string[] {
	if (typeof value === 'string') return [value];
	if (typeof value === 'symbol') return [String(value)];
	if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) return [];
	if (typeof value !== 'object' || value === null || seen.has(value)) return [];
	seen.add(value);
	const own = Reflect.ownKeys(value).flatMap((key) => [
		...textsIn(key, seen),
		...textsIn(Reflect.get(value, key), seen),
	]);
	const held = value instanceof Map || value instanceof Set ? [...value.entries()].flat() : [];
	return [...own, ...held.flatMap((entry) => textsIn(entry, seen))];
}

/** The forms in which a secret may turn up in a text, in lower case. */
function formsOf(secret: string): string[] {
	const encoded = [encodeURIComponent(secret), encodeURI(secret), JSON.stringify(secret)];
	const base64 = [Buffer.from(secret).toString('base64'), Buffer.from(secret).toString('hex')];
	return [secret, ...encoded, ...base64].map((form) => form.toLowerCase());
}

/** Texts of a value that hold a secret in any of its forms, in any case. */
export function leaksIn(value: unknown, secret: string): string[] {
	const forms = formsOf(secret);
	const serialized = JSON.stringify(value, circular()) ?? '';
	return [...textsIn(value), serialized].filter((text) =>
		forms.some((form) => text.toLowerCase().includes(form)),
	);
}

/** Lets JSON.stringify pass over what it has met before. */
function circular(): (key: string, value: unknown) => unknown {
	const seen = new Set<unknown>();
	return (_, value) => {
		if (typeof value !== 'object' || value === null) return value;
		if (seen.has(value)) return undefined;
		seen.add(value);
		return value;
	};
}
