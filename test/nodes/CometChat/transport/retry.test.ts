import fc from 'fast-check';

import { ConnectionError, StatusError } from '../../../../nodes/CometChat/transport/failure';
import { ResponseError } from '../../../../nodes/CometChat/transport/response';
import {
	backoffMs,
	canFollowSending,
	delayMs,
	isOutcomeUnknown,
	isRetryable,
} from '../../../../nodes/CometChat/transport/retry';

const status = (statusCode: number, headers = {}) =>
	new StatusError({ statusCode, headers, body: undefined });
const network = (code: string) => new ConnectionError(code, code);
const unusable = new ResponseError('no data', { statusCode: 200, headers: {}, body: '' });

const CHANGING = ['POST', 'PUT', 'PATCH', 'DELETE'] as const;

const NEVER_CONNECTED = [
	'ECONNREFUSED',
	'EAI_AGAIN',
	'EHOSTUNREACH',
	'ENETUNREACH',
	'ENETDOWN',
	'ERR_CONNECT_TIMEOUT',
];

const MAY_HAVE_ARRIVED = ['ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ERR_BAD_RESPONSE', 'ETIMEDOUT'];

const UNREADABLE = [
	'HPE_INVALID_CONSTANT',
	'Z_DATA_ERROR',
	'ERR__ERROR_FORMAT_PADDING_1',
	'ZSTD_error_X',
];

const FINAL = ['ENOTFOUND', 'EPROTO', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'CERT_HAS_EXPIRED', 'ANY'];

describe('isRetryable', () => {
	test.each([408, 502, 503, 504])(
		'status %i may come from a gateway that passed the request on: only reading is repeated',
		(code) => {
			expect(isRetryable('GET', status(code))).toBe(true);
			for (const method of CHANGING) expect(isRetryable(method, status(code))).toBe(false);
		},
	);

	test.each([300, 301, 304, 400, 401, 403, 404, 409, 429, 500, 501])(
		'status %i is final here',
		(code) => {
			expect(isRetryable('GET', status(code))).toBe(false);
			expect(isRetryable('DELETE', status(code))).toBe(false);
		},
	);

	test.each(NEVER_CONNECTED)('%s: nothing arrived, anything is sent again', (code) => {
		for (const method of ['GET', ...CHANGING] as const) {
			expect(isRetryable(method, network(code))).toBe(true);
		}
	});

	test.each(MAY_HAVE_ARRIVED)('%s: it may have arrived, only reading is repeated', (code) => {
		expect(isRetryable('GET', network(code))).toBe(true);
		for (const method of CHANGING) expect(isRetryable(method, network(code))).toBe(false);
	});

	test('what would be the same the next time is final', () => {
		const others = [unusable, new Error('x'), undefined];
		for (const error of [...[...FINAL, ...UNREADABLE].map(network), ...others]) {
			expect(isRetryable('GET', error)).toBe(false);
			expect(isRetryable('DELETE', error)).toBe(false);
		}
	});
});

describe('isOutcomeUnknown', () => {
	test('reading changes nothing, so there is nothing to look after', () => {
		for (const error of [status(500), network('ECONNRESET'), unusable]) {
			expect(isOutcomeUnknown('GET', error)).toBe(false);
		}
	});

	test.each<[string, unknown, boolean]>([
		...[408, 500, 502, 503, 504, 599].map((code): [string, unknown, boolean] => [
			`status ${code}`,
			status(code),
			true,
		]),
		...[300, 302, 400, 404, 409, 429, 499].map((code): [string, unknown, boolean] => [
			`status ${code}`,
			status(code),
			false,
		]),
		...MAY_HAVE_ARRIVED.map((code): [string, unknown, boolean] => [code, network(code), true]),
		...NEVER_CONNECTED.map((code): [string, unknown, boolean] => [code, network(code), false]),
		...FINAL.map((code): [string, unknown, boolean] => [code, network(code), false]),
		...UNREADABLE.map((code): [string, unknown, boolean] => [code, network(code), true]),
		['a code that only resembles one of HTTP', network('XHPE_'), false],
		['a response of success without data', unusable, true],
		['an error from before the request', new Error("'App ID' is wrong"), false],
	])('after %s a change may have been made: %s', (_name, error, expected) => {
		for (const method of CHANGING) expect(isOutcomeUnknown(method, error)).toBe(expected);
	});

	test('what may have been done is never sent again', () => {
		const error = fc.oneof(
			fc.integer({ min: 100, max: 599 }).map((code) => status(code)),
			fc.constantFrom(...NEVER_CONNECTED, ...MAY_HAVE_ARRIVED, ...FINAL).map(network),
			fc.constant(unusable),
		);
		fc.assert(
			fc.property(error, fc.constantFrom(...CHANGING), (ended, method) => {
				expect(isOutcomeUnknown(method, ended) && isRetryable(method, ended)).toBe(false);
			}),
		);
	});
});

test('canFollowSending knows what can happen to a request that was sent', () => {
	for (const code of [...MAY_HAVE_ARRIVED, ...UNREADABLE]) {
		expect(canFollowSending(new ConnectionError(code, ''))).toBe(true);
	}
	for (const code of [...NEVER_CONNECTED, ...FINAL]) {
		expect(canFollowSending(new ConnectionError(code, ''))).toBe(false);
	}
});

describe('backoffMs', () => {
	test('doubles from half a second to half a minute, at least half of it fixed', () => {
		expect([1, 2, 3, 4, 5, 6, 7, 8].map((attempts) => backoffMs(attempts, 1))).toEqual([
			500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000,
		]);
		expect([1, 2, 7].map((attempts) => backoffMs(attempts, 0))).toEqual([250, 500, 15_000]);
	});

	test('is different each time but stays in its range', () => {
		const waits = Array.from({ length: 50 }, () => backoffMs(3));
		expect(new Set(waits).size).toBeGreaterThan(1);
		expect(Math.min(...waits)).toBeGreaterThanOrEqual(1_000);
		expect(Math.max(...waits)).toBeLessThanOrEqual(2_000);
	});
});

describe('delayMs', () => {
	test('is what the service asks for, when that is longer than the backoff', () => {
		expect(delayMs(status(503, { 'retry-after': '7' }), 1)).toBe(7_000);
		const inAMinute = new Date(Date.now() + 60_000).toUTCString();
		const wait = delayMs(status(503, { 'retry-after': inAMinute }), 1);
		expect(wait).toBeGreaterThan(50_000);
		expect(wait).toBeLessThanOrEqual(60_000);
	});

	test.each([
		['a response that asks for nothing', status(503)],
		['one that asks for no wait at all', status(503, { 'retry-after': '0' })],
		[
			'one that names a time that has passed',
			status(503, { 'retry-after': new Date(0).toUTCString() }),
		],
		['one that says something else', status(503, { 'retry-after': 'soon' })],
		['no response', network('ECONNRESET')],
	])('is at least the backoff after %s', (_name, error) => {
		for (let i = 0; i < 20; i++) {
			const wait = delayMs(error, 2);
			expect(wait).toBeGreaterThanOrEqual(500);
			expect(wait).toBeLessThanOrEqual(1_000);
		}
	});
});
