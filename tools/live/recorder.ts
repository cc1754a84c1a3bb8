import type { IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { EnvHttpProxyAgent, request } from 'undici';

import { field, asObject } from '../../nodes/CometChat/transport/json';
import { serve } from '../n8nEngine/serve';

/** A request and its response. */
export interface Exchange {
	method: string;
	/** Path after the base URL, with the query. */
	path: string;
	/** 0 without a response. */
	status: number;
	/** Headers of the response. */
	headers: IncomingHttpHeaders;
	/** Parsed JSON, or the raw text if the body isn't JSON. */
	body: unknown;
}

/** A proxy between the node and the service that records each exchange. */
export interface Recorder {
	/** Base URL for the node's credential. */
	baseUrl: string;
	exchanges: Exchange[];
	close(): Promise<void>;
}

const PREFIX = '/v3';

/** Headers about the connection or the body's compression. */
const CONNECTION_HEADERS = [
	...['host', 'connection', 'keep-alive', 'content-length', 'transfer-encoding'],
	...['accept-encoding', 'content-encoding', 'expect'],
];

const selectForwarded = (headers: IncomingHttpHeaders): IncomingHttpHeaders =>
	Object.fromEntries(
		Object.entries(headers).filter(([name]) => !CONNECTION_HEADERS.includes(name)),
	);

/** Parsed JSON, or the raw text if the body isn't JSON. */
export function parseBody(body: string): unknown {
	try {
		return JSON.parse(body);
	} catch {
		return body;
	}
}

/** A field deep inside a value, or undefined. */
export const readField = (value: unknown, ...path: string[]): unknown =>
	field(...path)(asObject(value));

/** The service's own error code, e.g. ERR_UID_NOT_FOUND. */
export function readErrorCode({ body }: Exchange): string {
	const code = readField(body, 'error', 'code');
	return typeof code === 'string' && /^[A-Z][A-Z_]+$/.test(code) ? code : '';
}

/** Status and error code of a response. */
export const formatOutcome = (exchange: Exchange): string =>
	`${exchange.status || 'no response'} ${readErrorCode(exchange)}`.trim();

/** Names of a response's rate limit headers, with the value of the limit. */
export function formatRateLimit({ headers }: Exchange): string {
	const limits = Object.entries(headers).filter(([name]) => /rate-?limit|^retry-after$/.test(name));
	const texts = limits.map(([name, value]) =>
		/remaining|reset/.test(name) ? name : `${name} ${String(value)}`,
	);
	return texts.join(', ') || 'no header';
}

/**
 * Starts the recorder on loopback. Requests are forwarded below the service's base URL. Redirects aren't
 * followed, so no other host gets the API key.
 */
export async function startRecorder(target: string): Promise<Recorder> {
	const dispatcher = new EnvHttpProxyAgent();
	const exchanges: Exchange[] = [];
	const { url: origin, close } = await serve(async (incoming, outgoing) => {
		const { method = '', url = '' } = incoming;
		const path = url.slice(PREFIX.length);
		const exchange: Exchange = { method, path, status: 0, headers: {}, body: '' };
		exchanges.push(exchange);
		try {
			const sent = (await text(incoming)) || undefined;
			const headers = selectForwarded(incoming.headers);
			const options = { method, headers, body: sent, dispatcher };
			const response = await request(`${target}${path}`, options);
			const received = await response.body.text();
			exchange.status = response.statusCode;
			exchange.headers = response.headers;
			exchange.body = parseBody(received);
			outgoing.writeHead(exchange.status, selectForwarded(response.headers)).end(received);
		} catch {
			outgoing.destroy();
		}
	});
	return {
		baseUrl: `${origin}${PREFIX}`,
		exchanges,
		async close() {
			await close();
			await dispatcher.destroy();
		},
	};
}
