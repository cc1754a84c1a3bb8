import type { IncomingHttpHeaders } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server that is none of ours, and notes what it is sent. */
export interface Recorder {
	readonly url: string;
	readonly requests: Array<{ path: string; headers: IncomingHttpHeaders }>;
	close(): Promise<void>;
}

/** Starts a server that answers everything with `{"data":[]}`. */
export async function startRecorder(): Promise<Recorder> {
	const requests: Recorder['requests'] = [];
	const server = createServer((request, response) => {
		requests.push({ path: request.url ?? '', headers: request.headers });
		response.setHeader('content-type', 'application/json').end('{"data":[]}');
	});
	await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}`,
		requests,
		async close() {
			server.closeAllConnections();
			await new Promise((done) => server.close(done));
		},
	};
}
