import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

/**
 * Whether two texts are equal. How long it takes does not depend on where they differ: the bytes of
 * their digests are all compared, and nobody can choose a digest byte by byte.
 */
async function isEqual(a: string, b: string): Promise<boolean> {
	const encoder = new TextEncoder();
	const digests = [a, b].map(
		async (text) => new Uint8Array(await crypto.subtle.digest('SHA-256', encoder.encode(text))),
	);
	const [first, second] = await Promise.all(digests);
	let difference = 0;
	for (let index = 0; index < first.length; index++) difference |= first[index] ^ second[index];
	return difference === 0;
}

function base64(text: string): string {
	return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}

/** As typed, without the white space that comes along when it is pasted. */
export function typed(value: unknown): string {
	return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
}

/**
 * Whether a request carries the username and the password of the credential.
 *
 * @param header the value of the request's `Authorization`
 * @returns false also for a credential that is empty: it lets nobody in
 * @see https://www.rfc-editor.org/rfc/rfc7617
 */
export async function isAuthorized(
	header: unknown,
	{ username, password }: ICredentialDataDecryptedObject,
): Promise<boolean> {
	const [, sent = ''] = /^Basic +([\w+/=-]+) *$/i.exec(String(header ?? '')) ?? [];
	const isSet = typed(username) !== '' && typed(password) !== '';
	const isRight = await isEqual(sent, base64(`${typed(username)}:${typed(password)}`));
	return isSet && isRight;
}
