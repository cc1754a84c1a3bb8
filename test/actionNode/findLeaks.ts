/** Collects all strings in a value, including property names, symbols, hidden properties, maps, and sets. */
function collectTexts(value: unknown, seen = new Set<unknown>()): string[] {
	if (typeof value === 'string') return [value];
	if (typeof value === 'symbol') return [String(value)];
	if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) return [];
	if (typeof value !== 'object' || value === null || seen.has(value)) return [];
	seen.add(value);
	const own = Reflect.ownKeys(value).flatMap((key) => [key, Reflect.get(value, key) as unknown]);
	const held = value instanceof Map || value instanceof Set ? [...value.entries()].flat() : [];
	return [...own, ...held].flatMap((each) => collectTexts(each, seen));
}

/** Returns all strings in a value that contain the secret, either in plain text or encoded. */
export function findLeaks(value: unknown, secret: string): string[] {
	const bytes = Buffer.from(secret);
	const forms = [
		...[secret, encodeURIComponent(secret), encodeURI(secret), JSON.stringify(secret)],
		...[bytes.toString('base64'), bytes.toString('hex')],
	].map((form) => form.toLowerCase());
	return collectTexts(value).filter((text) =>
		forms.some((form) => text.toLowerCase().includes(form)),
	);
}
