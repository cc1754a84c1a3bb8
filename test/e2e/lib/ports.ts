import { createServer, type AddressInfo, type Server } from 'node:net';

/** Starts a server on a free loopback port, and returns the port. */
export async function listen(server: Server): Promise<number> {
	await new Promise<void>((done, refuse) => {
		server.once('error', refuse);
		server.listen(0, '127.0.0.1', done);
	});
	return (server.address() as AddressInfo).port;
}

/** Returns a free TCP port on loopback. */
export async function freePort(): Promise<number> {
	const server = createServer();
	const port = await listen(server);
	await new Promise((done) => server.close(done));
	return port;
}

/** True if a loopback port is free. */
export async function isFree(port: number): Promise<boolean> {
	const server = createServer();
	return await new Promise((done) => {
		server.once('error', () => done(false));
		server.listen(port, '127.0.0.1', () => server.close(() => done(true)));
	});
}
