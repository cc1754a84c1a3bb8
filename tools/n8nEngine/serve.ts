import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Handles a request. May return a promise that never rejects. */
type RequestHandler = (request: IncomingMessage, response: ServerResponse) => unknown;

/** A running HTTP server. */
export interface Served {
	/** `http://127.0.0.1:<port>` */
	readonly url: string;
	readonly port: number;
	readonly server: Server;
	/** Stops the server and closes all open connections. */
	close: () => Promise<void>;
}

/**
 * Starts an HTTP server.
 *
 * @param port port to listen on, or 0 for any free port
 * @param host address to listen on. Defaults to loopback only.
 */
export async function serve(
	listener: RequestHandler = () => {},
	port = 0,
	host = '127.0.0.1',
): Promise<Served> {
	const server = createServer((request, response) => void listener(request, response));
	await new Promise<void>((resolve, reject) => {
		server.once('error', reject).listen(port, host, resolve);
	});
	const { port: actual } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${actual}`,
		port: actual,
		server,
		async close() {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}
