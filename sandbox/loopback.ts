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
