/** Returns the SHA-256 digest of a string's UTF-8 encoding. */
export async function computeSha256Bytes(text: string): Promise<Uint8Array> {
	return new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
}

/**
 * Compares the digests of two strings in constant time, so that response times reveal nothing about the
 * expected value.
 */
export async function isEqualInConstantTime(...texts: [string, string]): Promise<boolean> {
	const [first, second] = await Promise.all([
		computeSha256Bytes(texts[0]),
		computeSha256Bytes(texts[1]),
	]);
	return !first.reduce((difference, byte, index) => difference | (byte ^ (second[index] ?? 0)), 0);
}
