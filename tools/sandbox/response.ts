import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';
import { refusal, type ApiResponse } from './errors';
import type { ActiveFaults, FaultEffect, KeyForm } from './faults';
import { rateHeaders, retryAfter, type RetryAfterForm } from './rateLimits';
import type { JsonObject } from './types';

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
export function responseInstead({ effect, rate }: ActiveFaults, key: string): Wire | undefined {
	const { tooManyRequests, status, echoKey, redirect, html } = effect;
	if (rate && rate.state.wait > 0) return tooMany(rate.state.wait / 1000, rate.form.retryAfter);
	if (tooManyRequests) return tooMany(tooManyRequests.seconds ?? 1, tooManyRequests.retryAfter);
	if (status) return anyStatus(status);
	if (echoKey) return keyEchoed(echoKey, key);
	if (redirect)
		return { status: redirect.status, headers: { location: redirect.location }, body: '' };
	if (html) return { status: 200, headers: { 'content-type': 'text/html' }, body: HTML_PAGE };
	return undefined;
}

/** A response with what a rate limit tells of itself. */
export function withRateHeaders(wire: Wire, { rate }: ActiveFaults): Wire {
	if (!rate) return wire;
	return { ...wire, headers: { ...wire.headers, ...rateHeaders(rate.state, rate.form) } };
}

/** What a fault makes of a response after the work was done. */
export function spoil(wire: Wire, effect: FaultEffect, key: string): Wire {
	if (effect.empty) return { ...wire, status: 200, body: '' };
	if (effect.noContent) return { status: 204, headers: {} };
	if (effect.noData) return asJson({ status: 200, body: {} });
	if (effect.nullData) return asJson({ status: 200, body: { data: null } });
	if (effect.brokenJson) {
		return { ...wire, status: 200, body: wire.body?.slice(0, Math.ceil(wire.body.length / 2)) };
	}
	if (effect.echoKeyInItem) return repeatingKey(wire, ENCODINGS[effect.echoKeyInItem](key));
	return wire;
}

const HTML_ESCAPES: Record<string, string> = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	'"': '&quot;',
	"'": '&#39;',
};

const ENCODINGS: Record<KeyForm, (key: string) => string> = {
	plain: (key) => key,
	percent: encodeURIComponent,
	base64: (key) => Buffer.from(key).toString('base64'),
	html: (key) => key.replace(/[&<>"']/g, (character) => HTML_ESCAPES[character]),
};

/** Puts a text into each item of a successful response: as a value on its own, in a sentence, deeper, and as a name. */
function repeatingKey(wire: Wire, text: string): Wire {
	const body: { data?: JsonObject | JsonObject[] } = JSON.parse(wire.body ?? '{}');
	if (body.data === undefined) return wire;
	const echo = {
		note: `Called with ${text}.`,
		request: { headers: { apikey: text }, [text]: true },
	};
	const data = Array.isArray(body.data)
		? body.data.map((item) => ({ ...item, ...echo }))
		: { ...body.data, ...echo };
	return { ...wire, body: JSON.stringify({ ...body, data }) };
}

function tooMany(seconds: number, form?: RetryAfterForm): Wire {
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

/**
 * Sends a head, then spaces, then what is left of the body. JSON stays JSON.
 *
 * @param signal stops it; the response then stays unfinished
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
