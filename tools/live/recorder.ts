import type { IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { EnvHttpProxyAgent, request } from 'undici';

import { serve } from '../n8nEngine/serve';

/** A request and what came back for it. */
export interface Exchange {
	method: string;
	/** Behind the base URL, with the query */
	path: string;
	/** 0: no response came */
	status: number;
	/** Of the response */
	headers: IncomingHttpHeaders;
	/** The JSON of the response, or its text */
	body: unknown;
	ms: number;
}

export interface Call {
	onBehalfOf?: string;
	body?: object;
}

/** Stands between the node and the service, and notes what passes. */
export interface Recorder {
	/** What the credential of the node names as its base URL */
	baseUrl: string;
	exchanges: Exchange[];
	/** A request that the node does not make. */
	rest(method: string, path: string, call?: Call): Promise<Exchange>;
	close(): Promise<void>;
}

const PREFIX = '/v3';

/** Headers of one connection, and what asks for a compressed body. */
const OF_CONNECTION = [
	...['host', 'connection', 'keep-alive', 'content-length', 'transfer-encoding'],
	...['accept-encoding', 'content-encoding', 'expect'],
];

const passedOn = (headers: IncomingHttpHeaders): IncomingHttpHeaders =>
	Object.fromEntries(Object.entries(headers).filter(([name]) => !OF_CONNECTION.includes(name)));

/** The JSON of a body, or its text. */
export function parsed(body: string): unknown {
	try {
		return JSON.parse(body);
	} catch {
		return body;
	}
}

/**
 * Starts the recorder on loopback. What it gets goes on to the base URL and nowhere else: the path is
 * added to it, and no redirect is followed.
 */
export async function startRecorder(target: {
	baseUrl: string;
	apiKey: string;
}): Promise<Recorder> {
	const dispatcher = new EnvHttpProxyAgent({ headersTimeout: 60_000, bodyTimeout: 60_000 });
	const exchanges: Exchange[] = [];

	const forward = async (
		method: string,
		path: string,
		headers: IncomingHttpHeaders,
		body: string | undefined,
	): Promise<Exchange & { text: string }> => {
		const began = performance.now();
		const exchange: Exchange = { method, path, status: 0, headers: {}, body: '', ms: 0 };
		exchanges.push(exchange);
		const response = await request(`${target.baseUrl}${path}`, {
			method,
			headers,
			body,
			dispatcher,
		});
		const received = await response.body.text();
		return Object.assign(exchange, {
			status: response.statusCode,
			headers: response.headers,
			body: parsed(received),
			ms: performance.now() - began,
			text: received,
		});
	};

	const { url: origin, close } = await serve(async (incoming, outgoing) => {
		const { method = '', url = '', headers } = incoming;
		try {
			if (!url.startsWith(`${PREFIX}/`)) throw new Error('Not below the base URL');
			const sent = await text(incoming);
			const path = url.slice(PREFIX.length);
			const exchange = await forward(method, path, passedOn(headers), sent || undefined);
			outgoing.writeHead(exchange.status, passedOn(exchange.headers)).end(exchange.text);
		} catch {
			outgoing.destroy();
		}
	});
	return {
		baseUrl: `${origin}${PREFIX}`,
		exchanges,
		async rest(method, path, { onBehalfOf, body } = {}) {
			const headers = {
				apikey: target.apiKey,
				accept: 'application/json',
				...(body ? { 'content-type': 'application/json' } : {}),
				...(onBehalfOf === undefined ? {} : { onbehalfof: onBehalfOf }),
			};
			return await forward(method, path, headers, body && JSON.stringify(body));
		},
		async close() {
			await close();
			await dispatcher.destroy();
		},
	};
}
