import { isIP } from 'node:net';
import { z } from 'zod/v4';

/** True if an IP address is a loopback address. */
export function isLoopback(address: string): boolean {
	const plain = address.replace(/^::ffff:/, '');
	return plain === '::1' || (isIP(plain) === 4 && plain.startsWith('127.'));
}

/** True if a host refers to this machine, e.g. `localhost`, `127.0.0.1:4100`, or `[::1]`. */
export function isLoopbackHost(host = ''): boolean {
	const name = host.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1');
	return name === 'localhost' || isLoopback(name);
}

/** An HTTP URL on this machine, with the same maximum length as in CometChat's dashboard. */
export const LOOPBACK_URL = z
	.string()
	.max(255)
	.refine((text) => {
		if (!URL.canParse(text)) return false;
		const { protocol, host, username, password } = new URL(text);
		return /^https?:$/.test(protocol) && isLoopbackHost(host) && !username && !password;
	}, 'must be an HTTP URL on this machine, without a login');

/** Returns the header for Basic authentication, or no header without a username and password. */
export function basicAuth({
	username = '',
	password = '',
}: {
	username?: string;
	password?: string;
}) {
	const login = Buffer.from(`${username}:${password}`).toString('base64');
	return username || password ? { authorization: `Basic ${login}` } : {};
}
