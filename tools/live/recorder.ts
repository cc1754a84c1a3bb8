import type { IncomingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { EnvHttpProxyAgent, request } from 'undici';

import { createFieldReader, asObjectOrEmpty } from '../../nodes/CometChat/helpers/json';
import { serve } from '../n8nEngine/serve';
import { parseJson } from '../sandbox/parse';

/** A recorded request and its response. */
export interface Exchange {
	method: string;
	/** Path relative to the base URL, including the query string. */
	path: string;
	/** Status code, or 0 if no response was received. */
	status: number;
	/** Response headers. */
	headers: IncomingHttpHeaders;
	/** Response body as parsed JSON, or the raw text if the body isn't JSON. */
	body: unknown;
}

/** A proxy between the node and the service that records every request and response. */
export type Recorder = Awaited<ReturnType<typeof startRecorder>>;

const PREFIX = '/v3';

/** Headers that apply only to a single connection or to the body's compression, so they aren't forwarded. */
const CONNECTION_HEADERS = [
	...['host', 'connection', 'keep-alive', 'content-length', 'transfer-encoding'],
	...['accept-encoding', 'content-encoding', 'expect'],
];

const selectForwarded = (headers: IncomingHttpHeaders): IncomingHttpHeaders =>
	Object.fromEntries(
		Object.entries(headers).filter(([name]) => !CONNECTION_HEADERS.includes(name)),
	);

/** Returns a nested field, or undefined if the field doesn't exist. */
export const readField = (value: unknown, ...path: string[]): unknown =>
	createFieldReader(...path)(asObjectOrEmpty(value));

/** Returns the service's error code, e.g. ERR_UID_NOT_FOUND, or an empty string. */
export function readErrorCode({ body }: Exchange): string {
	const code = readField(body, 'error', 'code');
	return typeof code === 'string' && /^[A-Z][A-Z_]+$/.test(code) ? code : '';
}

export const isOk = ({ status }: Exchange): boolean => status >= 200 && status <= 299;

/** True if the service understood the request, and refuses it whenever it is sent. */
export const isRefused = ({ status }: Exchange): boolean =>
	status >= 400 && status <= 499 && ![401, 408, 429].includes(status);

/** Formats a response's status and error code. */
export const formatOutcome = (exchange: Exchange): string =>
	`${exchange.status || 'no response'} ${readErrorCode(exchange)}`.trim();

/** Lists the names of a response's rate-limit headers, including the value of the limit. */
export function formatRateLimit({ headers }: Exchange): string {
	const limits = Object.entries(headers).filter(([name]) => /rate-?limit|^retry-after$/.test(name));
	const texts = limits.map(([name, value]) =>
		/remaining|reset/.test(name) ? name : `${name} ${String(value)}`,
	);
	return texts.join(', ') || 'no header';
}

/**
 * Starts the recorder on loopback. Requests are forwarded to the service's base URL. Redirects aren't
 * followed, so the API key is never sent to another host.
 */
export async function startRecorder(target: string) {
	const dispatcher = new EnvHttpProxyAgent();
	const exchanges: Exchange[] = [];
	const { url: origin, close } = await serve(async (incoming, outgoing) => {
		const { method = '', url = '' } = incoming;
		const path = url.slice(PREFIX.length);
		const exchange: Exchange = { method, path, status: 0, headers: {}, body: '' };
		exchanges.push(exchange);
		try {
			const sent = await buffer(incoming);
			const headers = selectForwarded(incoming.headers);
			const options = { method, headers, body: sent.length > 0 ? sent : undefined, dispatcher };
			const response = await request(`${target}${path}`, options);
			const received = await response.body.text();
			exchange.status = response.statusCode;
			exchange.headers = response.headers;
			exchange.body = parseJson(received) ?? received;
			outgoing.writeHead(exchange.status, selectForwarded(response.headers)).end(received);
		} catch {
			outgoing.destroy();
		}
	});
	return {
		/** Base URL to use in the node's credential. */
		baseUrl: `${origin}${PREFIX}`,
		/** Base URL of the service. */
		target,
		exchanges,
		async close() {
			await close();
			await dispatcher.destroy();
		},
	};
}
