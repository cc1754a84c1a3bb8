import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Envelope } from '../../sandbox/server';

export interface Received {
	method: string;
	path: string;
	headers: IncomingHttpHeaders;
	body: Envelope;
}

/** A server that takes deliveries of webhooks. */
export interface Receiver {
	readonly url: string;
	readonly received: Received[];
	/** What it answers from now on. Default 200 at once; `hang` never answers. */
	answer: (nth: number) => number | 'hang';
	close(): Promise<void>;
}

export async function startReceiver(): Promise<Receiver> {
	const received: Received[] = [];
	const server = createServer((request, response) => {
		let text = '';
		request.on('data', (chunk: Buffer) => (text += chunk.toString()));
		request.on('end', () => {
			const { method = '', url = '', headers } = request;
			received.push({ method, path: url, headers, body: JSON.parse(text) });
			const status = receiver.answer(received.length);
			if (status === 'hang') return;
			response.writeHead(status, status === 302 ? { location: '/elsewhere' } : {}).end('ok');
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	const receiver: Receiver = {
		url: `http://127.0.0.1:${port}/webhook/chat`,
		received,
		answer: () => 200,
		async close() {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
	return receiver;
}
