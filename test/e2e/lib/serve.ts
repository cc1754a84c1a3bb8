import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { createServer, request } from 'node:http';

import { listen } from './ports';

/** A server of the tests' own. */
export interface Served {
	/** `http://127.0.0.1:<port>` */
	readonly url: string;
	close(): Promise<void>;
}

/** Serves HTTP on a free port of loopback. */
export async function serve(listener: RequestListener): Promise<Served> {
	const server = createServer(listener);
	return {
		url: `http://127.0.0.1:${await listen(server)}`,
		async close() {
			server.closeAllConnections();
			await new Promise((done) => server.close(done));
		},
	};
}

/** Has another server answer; the connection is cut where it does not. */
export function passOn(incoming: IncomingMessage, response: ServerResponse, url: string): void {
	const { method, headers } = incoming;
	const outgoing = request(url, { method, headers }, (answer) => {
		response.writeHead(answer.statusCode ?? 502, answer.headers);
		answer.pipe(response);
	});
	outgoing.once('error', () => response.destroy());
	incoming.pipe(outgoing);
}
