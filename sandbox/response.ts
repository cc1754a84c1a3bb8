import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';
import { refusal, type ApiResponse } from './errors';
import { retryAfter, type ActiveFaults, type FaultEffect } from './faults';

/** A response as it goes out. `body` is text, or nothing. */
export interface Wire {
	status: number;
	headers: Record<string, string>;
	body?: string;
}

const JSON_HEADERS = { 'content-type': 'application/json' };
const HTML_PAGE =
	'<!doctype html><html><head><title>Sign in</title></head><body>Proxy</body></html>';
const SLOW_PIECES = 20;

/** A response of the API as text. */
export function asJson({ status, body }: ApiResponse, headers: Record<string, string> = {}): Wire {
	return { status, headers: { ...JSON_HEADERS, ...headers }, body: JSON.stringify(body) };
}

/** The response that a fault sends in the service's place, before any work is done. */
export function responseInstead(
	{ effect, bucketWait }: ActiveFaults,
	key: string,
): Wire | undefined {
	const { tokenBucket, tooManyRequests, status, echoKey, redirect, html } = effect;
	if (bucketWait !== undefined) return tooMany(bucketWait, tokenBucket?.retryAfter);
	if (tooManyRequests) return tooMany(tooManyRequests.seconds ?? 1, tooManyRequests.retryAfter);
	if (status) return anyStatus(status);
	if (echoKey) return keyEchoed(echoKey, key);
	if (redirect)
		return { status: redirect.status, headers: { location: redirect.location }, body: '' };
	if (html) return { status: 200, headers: { 'content-type': 'text/html' }, body: HTML_PAGE };
	return undefined;
}

/** What a fault makes of a response after the work was done. */
export function spoil(wire: Wire, effect: FaultEffect): Wire {
	if (effect.empty) return { ...wire, status: 200, body: '' };
	if (effect.noContent) return { status: 204, headers: {} };
	if (effect.noData) return asJson({ status: 200, body: {} });
	if (effect.nullData) return asJson({ status: 200, body: { data: null } });
	if (effect.brokenJson) {
		return { ...wire, status: 200, body: wire.body?.slice(0, Math.ceil(wire.body.length / 2)) };
	}
	return wire;
}

function tooMany(seconds: number, form = 'seconds' as Parameters<typeof retryAfter>[1]): Wire {
	const value = retryAfter(seconds, form);
	return asJson(
		refusal('ERR_TOO_MANY_REQUESTS'),
		value === undefined ? {} : { 'retry-after': value },
	);
}

function anyStatus({ status, body = '', headers }: NonNullable<FaultEffect['status']>): Wire {
	if (typeof body !== 'string') return asJson({ status, body }, headers);
	return { status, headers: { 'content-type': 'text/plain', ...headers }, body };
}

function keyEchoed({ status, code }: NonNullable<FaultEffect['echoKey']>, key: string): Wire {
	const text = `The API key ${key} was refused.`;
	return asJson({
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

/** Sends a response at once. */
export function send(reply: FastifyReply, { status, headers, body }: Wire): void {
	reply.code(status).headers(headers).send(body);
}

/**
 * Sends a response piece by piece.
 *
 * @param ms how long the body takes
 * @param signal stops it; the response then stays unfinished
 */
export async function sendSlowly(
	reply: FastifyReply,
	{ status, headers, body = '' }: Wire,
	ms: number,
	signal: AbortSignal,
): Promise<void> {
	reply.hijack();
	const response = reply.raw;
	const bytes = Buffer.from(body);
	const size = Math.max(1, Math.ceil(bytes.length / SLOW_PIECES));
	response.writeHead(status, { ...headers, 'content-length': bytes.length });
	response.flushHeaders();
	for (let from = 0; from < bytes.length && !response.destroyed; from += size) {
		await wait(ms / Math.ceil(bytes.length / size), undefined, { signal });
		response.write(bytes.subarray(from, from + size));
	}
	response.end();
}
