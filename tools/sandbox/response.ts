import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';
import { refuse, type ApiResponse } from './errors';
import type { ActiveFaults, FaultEffect } from './faults';
import { rateHeaders } from './rateLimits';
import type { JsonObject } from './types';

/** A response with its body serialized for sending over HTTP. */
export interface Wire {
	status: number;
	headers: Record<string, string>;
	body?: string;
	/** Content of a file, instead of a body. */
	file?: Buffer;
}

const JSON_HEADERS = { 'content-type': 'application/json' };
const HTML_PAGE =
	'<!doctype html><html><head><title>Sign in</title></head><body>Proxy</body></html>';

/** Serializes an API response. */
export function toWire({ status, body }: ApiResponse, headers: Record<string, string> = {}): Wire {
	return { status, headers: { ...JSON_HEADERS, ...headers }, body: JSON.stringify(body) };
}

/** Returns the response that a fault sends instead of the service's response, or undefined if no fault applies. */
export function createReplacement({ effect, rate }: ActiveFaults, key: string): Wire | undefined {
	const { tooManyRequests, status, echoKey, redirect, html } = effect;
	if (rate && rate.wait > 0) return tooMany(rate.wait / 1000);
	if (tooManyRequests) return tooMany(tooManyRequests.seconds ?? 1);
	if (status) return anyStatus(status);
	if (echoKey) return keyEchoed(echoKey, key);
	if (redirect)
		return { status: redirect.status, headers: { location: redirect.location }, body: '' };
	if (html) return { status: 200, headers: { 'content-type': 'text/html' }, body: HTML_PAGE };
	return undefined;
}

/** Adds rate-limit headers if a rate limit applies to the request. */
export function addRateHeaders(wire: Wire, { rate }: ActiveFaults): Wire {
	if (!rate) return wire;
	return { ...wire, headers: { ...wire.headers, ...rateHeaders(rate) } };
}

/** Applies faults to the service's response. */
export function spoil(wire: Wire, effect: FaultEffect, key: string): Wire {
	if (effect.empty) return { ...wire, status: 200, body: '' };
	if (effect.noContent) return { status: 204, headers: {} };
	if (effect.noData) return toWire({ status: 200, body: {} });
	if (effect.brokenJson) {
		return { ...wire, status: 200, body: wire.body?.slice(0, Math.ceil(wire.body.length / 2)) };
	}
	if (effect.echoKeyInItem) return withKeyInItems(wire, key);
	return wire;
}

/**
 * Adds the API key to each item in a successful response, in a sentence, as a nested value, and as a property
 * name.
 */
function withKeyInItems(wire: Wire, key: string): Wire {
	const body: { data?: JsonObject | JsonObject[] } = JSON.parse(wire.body ?? '{}');
	if (body.data === undefined) return wire;
	const echo = {
		note: `Called with ${key}.`,
		request: { headers: { apikey: key }, [key]: true },
	};
	const data = Array.isArray(body.data)
		? body.data.map((item) => ({ ...item, ...echo }))
		: { ...body.data, ...echo };
	return { ...wire, body: JSON.stringify({ ...body, data }) };
}

function tooMany(seconds: number): Wire {
	return toWire(refuse('ERR_TOO_MANY_REQUESTS'), { 'retry-after': String(Math.ceil(seconds)) });
}

function anyStatus({ status, body = '', headers }: NonNullable<FaultEffect['status']>): Wire {
	if (typeof body !== 'string') return toWire({ status, body }, headers);
	return { status, headers: { 'content-type': 'text/plain', ...headers }, body };
}

function keyEchoed({ status, code }: NonNullable<FaultEffect['echoKey']>, key: string): Wire {
	const text = `The API key ${key} was refused.`;
	return toWire({
		status,
		body: {
			error: {
				code: code ?? 'AUTH_ERR_APIKEY_NOT_FOUND',
				message: text,
				devMessage: text,
				source: 'auth',
				details: { apikey: [text], [key]: [text] },
			},
		},
	});
}

/** Sends a complete response. */
export function send(reply: FastifyReply, { status, headers, body, file }: Wire): void {
	reply
		.code(status)
		.headers(headers)
		.send(file ?? body);
}

/** Sends a response that is incomplete, or whose Content-Length is wrong, and closes the connection. */
export function sendPart(
	reply: FastifyReply,
	{ status, headers, body = '', file = Buffer.from(body) }: Wire,
	{ half, wrongLength = 0 }: Pick<FaultEffect, 'half' | 'wrongLength'>,
): void {
	reply.hijack();
	const response = reply.raw;
	const length = String(file.length + wrongLength);
	response.writeHead(status, { ...headers, 'content-length': length, connection: 'close' });
	response.write(half ? file.subarray(0, file.length / 2) : file, () => {
		if (half !== 'stall') response.destroy();
	});
}

/**
 * Sends the headers, then spaces at regular intervals, then the rest of the body. The JSON stays valid.
 *
 * @param signal aborts the response and leaves it incomplete
 */
export async function trickle(
	reply: FastifyReply,
	{ status, headers, body = '' }: Wire,
	{ everyMs, forMs = Infinity, where = 'before' }: NonNullable<FaultEffect['trickle']>,
	signal: AbortSignal,
): Promise<void> {
	reply.hijack();
	const response = reply.raw;
	const until = performance.now() + forMs;
	const first = where === 'inside' ? 1 : 0;
	response.writeHead(status, headers);
	response.flushHeaders();
	if (first > 0) response.write(body.slice(0, first));
	while (performance.now() < until && !response.destroyed) {
		await wait(everyMs, undefined, { signal });
		response.write(' ');
	}
	response.end(body.slice(first));
}
