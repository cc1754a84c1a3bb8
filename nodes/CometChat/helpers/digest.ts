/** Returns a string's SHA-256 digest. */
export async function digest(text: string): Promise<Uint8Array> {
	return new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
}

/**
 * Compares the digests of two strings in constant time, so that response times reveal nothing about the
 * expected value.
 */
export async function isEqual(...texts: [string, string]): Promise<boolean> {
	const [first, second] = await Promise.all([digest(texts[0]), digest(texts[1])]);
	return !first.reduce((difference, byte, index) => difference | (byte ^ (second[index] ?? 0)), 0);
}
