/** Username and password that CometChat sends for Basic authentication. */
export interface Login {
	username: string;
	password: string;
}

/**
 * Encodes a login in Base64 for Basic authentication. The result doesn't include the prefix "Basic ".
 *
 * @see https://www.rfc-editor.org/rfc/rfc7617
 */
export function encodeLoginAsBase64({ username, password }: Login): string {
	const bytes = new TextEncoder().encode(`${username}:${password}`);
	return btoa(String.fromCharCode(...bytes));
}

/**
 * Reads the Base64 text from an `Authorization` header. Returns an empty string unless the header is for Basic
 * authentication.
 */
export function readBase64LoginFromHeaderOrEmpty(header: unknown): string {
	const [, encoded = ''] = /^Basic +([\w+/=-]+) *$/i.exec(String(header)) ?? [];
	return encoded;
}

/** Reads the login from an `Authorization` header. Without a valid login, both values are empty. */
export function readLoginFromHeaderOrEmpty(header: unknown): Login {
	let decoded = '';
	try {
		const bytes = Uint8Array.from(atob(readBase64LoginFromHeaderOrEmpty(header)), (char) =>
			char.charCodeAt(0),
		);
		decoded = new TextDecoder().decode(bytes);
	} catch {
		// The text isn't Base64
	}
	const [username = '', ...parts] = decoded.split(':');
	return { username, password: parts.join(':') };
}
