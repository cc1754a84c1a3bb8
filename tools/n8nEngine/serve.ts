import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Handles a request. May return a promise that never rejects. */
type RequestHandler = (request: IncomingMessage, response: ServerResponse) => unknown;

/** A running HTTP server. */
export type Served = Awaited<ReturnType<typeof serve>>;

/**
 * Starts an HTTP server.
 *
 * @param port port to listen on, or 0 for any free port
 * @param host address to listen on. Defaults to loopback only.
 */
export async function serve(listener: RequestHandler = () => {}, port = 0, host = '127.0.0.1') {
	const server = createServer((request, response) => void listener(request, response));
	await new Promise<void>((resolve, reject) => {
		server.once('error', reject).listen(port, host, resolve);
	});
	const { port: actual } = server.address() as AddressInfo;
	return {
		/** `http://127.0.0.1:<port>` */
		url: `http://127.0.0.1:${actual}`,
		port: actual,
		server,
		/** Stops the server and closes all open connections. */
		close: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}
