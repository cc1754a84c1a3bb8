import { createServer } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export const KEY = 'f00dcafe0123456789abcdef0123456789abcdef';

interface Received {
	method?: string;
	url?: string;
	headers: IncomingHttpHeaders;
	/** When it came, in milliseconds */
	at: number;
}

export type Reply = (response: ServerResponse, request: IncomingMessage) => void;

/** A JSON answer. */
export const json =
	(statusCode: number, body: unknown, headers: Record<string, string> = {}): Reply =>
	(response) => {
		response.writeHead(statusCode, { 'content-type': 'application/json', ...headers });
		response.end(JSON.stringify(body));
	};

/** Cuts the connection without an answer. */
export const cut: Reply = (response) => response.socket?.destroy();

/** A real server on loopback that gives its replies in turn, and the last one from then on. */
export async function startService(...replies: Reply[]) {
	const received: Received[] = [];
	const server = createServer((request, response) => {
		const { method, url, headers } = request;
		const reply = replies[Math.min(received.length, replies.length - 1)];
		received.push({ method, url, headers, at: Date.now() });
		reply(response, request);
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	const baseUrl = `http://127.0.0.1:${port}/v3`;
	return {
		received,
		baseUrl,
		credentials: { apiKey: ` ${KEY} `, region: 'custom', baseUrl },
		close: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

export type Service = Awaited<ReturnType<typeof startService>>;
