import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { Certificate } from '../../../sandbox/certificate';

export const KEY = 'f00dcafe0123456789abcdef0123456789abcdef';

interface Received {
	method?: string;
	url?: string;
	headers: IncomingHttpHeaders;
	/** When it came, in milliseconds */
	at: number;
	/** As text; empty when there was none, or it has not come whole */
	body: string;
}

export type Reply = (response: ServerResponse, request: IncomingMessage) => void;

/** A response of JSON. */
export const json =
	(statusCode: number, body: unknown, headers: Record<string, string> = {}): Reply =>
	(response) => {
		response.writeHead(statusCode, { 'content-type': 'application/json', ...headers });
		response.end(JSON.stringify(body));
	};

/** Cuts the connection without a response. */
export const cut: Reply = (response) => response.socket?.destroy();

/** A real server on loopback that gives its replies in turn, and the last one from then on. */
export const startService = async (...replies: Reply[]) => await start(undefined, replies);

/** The same with HTTPS. */
export const startTlsService = async (certificate: Certificate, ...replies: Reply[]) =>
	await start(certificate, replies);

async function start(certificate: Certificate | undefined, replies: Reply[]) {
	const received: Received[] = [];
	const receive = (request: IncomingMessage, response: ServerResponse) => {
		const { method, url, headers } = request;
		const reply = replies[Math.min(received.length, replies.length - 1)];
		const chunks: Buffer[] = [];
		const entry: Received = { method, url, headers, at: Date.now(), body: '' };
		received.push(entry);
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('end', () => {
			entry.body = Buffer.concat(chunks).toString();
			reply(response, request);
		});
	};
	const server = certificate ? createTlsServer(certificate, receive) : createServer(receive);
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	const baseUrl = `${certificate ? 'https' : 'http'}://127.0.0.1:${port}/v3`;
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
