import { isIP } from 'node:net';

/** Whether an IP address is one of this machine's own. */
export function isLoopback(address: string): boolean {
	const plain = address.replace(/^::ffff:/, '');
	return plain === '::1' || (isIP(plain) === 4 && plain.startsWith('127.'));
}

/** Whether a host, with or without a port, names this machine: `localhost`, `127.0.0.1:4100`, `[::1]`. */
export function isLoopbackHost(host = ''): boolean {
	const name = host.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1');
	return name === 'localhost' || isLoopback(name);
}

/** Longest URL of a webhook, as in the dashboard. */
const LONGEST_URL = 255;

/** Whether a URL is of this machine, and of HTTP. */
export function isLoopbackUrl(text: string): boolean {
	if (text.length > LONGEST_URL || !URL.canParse(text)) return false;
	const { protocol, host, username, password } = new URL(text);
	return /^https?:$/.test(protocol) && isLoopbackHost(host) && !username && !password;
}
