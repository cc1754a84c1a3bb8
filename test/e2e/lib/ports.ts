import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';

/** A TCP port on loopback that was free a moment ago. */
export async function freePort(): Promise<number> {
	const server = createServer();
	await new Promise<void>((done, refuse) => {
		server.once('error', refuse);
		server.listen(0, '127.0.0.1', done);
	});
	const { port } = server.address() as AddressInfo;
	await new Promise((done) => server.close(done));
	return port;
}

/** Whether nobody listens on a port of loopback. */
export async function isFree(port: number): Promise<boolean> {
	const server = createServer();
	return await new Promise((done) => {
		server.once('error', () => done(false));
		server.listen(port, '127.0.0.1', () => server.close(() => done(true)));
	});
}
