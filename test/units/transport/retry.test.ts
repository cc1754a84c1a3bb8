import type { IHttpRequestMethods } from 'n8n-workflow';

import { ConnectionError, ErrorResponseError } from '../../../nodes/CometChat/transport/failure';
import { UnusableResponseError } from '../../../nodes/CometChat/transport/response';
import {
	attemptMayHaveWorked,
	computeBackoffMs,
	computeDelayMs,
	isIdempotentMethod,
	isRetryable,
	DEFAULT_MAX_ATTEMPTS,
} from '../../../nodes/CometChat/transport/retry';

const status = (statusCode: number, headers = {}) =>
	new ErrorResponseError({ statusCode, headers, body: undefined });

const network = (code: string, whileConnecting = false) =>
	new ConnectionError(code, code, whileConnecting);

const unusable = new UnusableResponseError('no data', { statusCode: 200, headers: {}, body: '' });

/**
 * Expected handling of an error: whether to retry a read, PUT or DELETE, whether to retry a POST or PATCH, and
 * whether a change may have completed anyway.
 */
type Outcome = [read: boolean, change: boolean, unknown: boolean];

const rows = (errors: Error[], outcome: Outcome) =>
	errors.map((error): [string, Error, Outcome] => {
		const stage = error instanceof ConnectionError && error.whileConnecting ? ' connecting' : '';
		return [`${error.message}${stage}`, error, outcome];
	});

const codes = (words: string, whileConnecting = false) =>
	words.split(' ').map((code) => network(code, whileConnecting));

const TRANSIENT =
	'ECONNRESET ECONNABORTED EHOSTUNREACH ENETDOWN ENETUNREACH EPIPE ERR_BAD_RESPONSE ETIMEDOUT';

const REFUSED =
	'ENOTFOUND EPROTO ERR_INVALID_URL ERR_TLS_CERT_ALTNAME_INVALID CERT_HAS_EXPIRED DEPTH_ZERO_SELF_SIGNED_CERT SELF_SIGNED_CERT_IN_CHAIN UNABLE_TO_VERIFY_LEAF_SIGNATURE';

test.each([
	...rows(
		[408, 502, 503, 504].map((code) => status(code)),
		[true, false, true],
	),
	...rows(
		[500, 501, 505, 599].map((code) => status(code)),
		[false, false, true],
	),
	...rows(
		[300, 304, 307, 308, 400, 407, 409, 429, 499].map((code) => status(code)),
		[false, false, false],
	),
	...rows(
		[301, 302, 303].map((code) => status(code)),
		[false, false, true],
	),
	...rows(codes(TRANSIENT), [true, false, true]),
	...rows(codes(TRANSIENT, true), [true, true, false]),
	...rows(codes('ECONNREFUSED EAI_AGAIN'), [true, true, false]),
	...rows(codes(REFUSED), [false, false, false]),
	...rows(codes('ANY', true), [false, false, false]),
	...rows(codes('ERR_SSL_BAD_RECORD_TYPE HPE_INVALID Z_DATA_ERROR XENOTFOUND ENOTFOUND_X'), [
		false,
		false,
		true,
	]),
	...rows([unusable], [false, false, true]),
	...rows([new Error("'App ID' is wrong")], [false, false, false]),
])('decides about a retry after %s', (_, error, [read, change, unknown]) => {
	const decide = (method: IHttpRequestMethods) => [
		isRetryable(method, error, 0),
		attemptMayHaveWorked(method, error),
	];
	expect(decide('GET')).toEqual([read, false]);
	for (const method of ['POST', 'PATCH'] as const)
		expect(decide(method)).toEqual([change, unknown]);
	for (const method of ['PUT', 'DELETE'] as const) expect(decide(method)).toEqual([read, unknown]);
});

test('only a POST or PATCH could make its change twice', () => {
	const methods = ['GET', 'PUT', 'DELETE', 'POST', 'PATCH'] as const;
	expect(methods.filter(isIdempotentMethod)).toEqual(['GET', 'PUT', 'DELETE']);
});

test('doubles the backoff up to half a minute, with a random half', () => {
	const all = [1, 2, 3, 6, 7, 8];
	expect(all.map((attempts) => computeBackoffMs(attempts, 1))).toEqual([
		500, 1_000, 2_000, 16_000, 30_000, 30_000,
	]);
	expect(all.map((attempts) => computeBackoffMs(attempts, 0))).toEqual([
		250, 500, 1_000, 8_000, 15_000, 15_000,
	]);
	expect(new Set(Array.from({ length: 9 }, () => computeBackoffMs(3))).size).toBeGreaterThan(1);
});

test.each<[Error, number, number]>([
	[status(503, { 'retry-after': '7' }), 7_000, 7_000],
	[status(503, { 'retry-after': '0' }), 500, 1_000],
	[status(503, { 'retry-after': 'soon' }), 500, 1_000],
	[status(503), 500, 1_000],
	[network('ECONNRESET'), 500, 1_000],
])('waits after %p, before the third attempt: %i to %i ms', (error, least, most) => {
	const delay = computeDelayMs(error, 2);
	expect(delay).toBeGreaterThanOrEqual(least);
	expect(delay).toBeLessThanOrEqual(most);
});

describe('A message without access', () => {
	const refused = (code: string, statusCode = 403) =>
		new ErrorResponseError({ statusCode, headers: {}, body: { error: { code } } });
	const noAccess = refused('ERR_MESSAGE_NO_ACCESS');

	test('is retried during the first 15 seconds of a run, because moderation may be pending', () => {
		for (const method of ['GET', 'POST', 'PUT', 'DELETE'] as const) {
			const isRetried = [0, 14_999, 15_000, 60_000].map((ms) => isRetryable(method, noAccess, ms));
			expect(isRetried).toEqual([true, true, false, false]);
			expect(attemptMayHaveWorked(method, noAccess)).toBe(false);
		}
		for (const error of [refused('AUTH_ERR_NO_ACCESS'), refused('ERR_NEW'), status(403)]) {
			expect(isRetryable('GET', error, 0)).toBe(false);
		}
	});

	test('is requested for the last time after more than 15 seconds, with the default number of attempts', () => {
		const failures = Array.from({ length: DEFAULT_MAX_ATTEMPTS - 1 }, (_, index) => index + 1);
		const delays = failures.map((count) => computeDelayMs(noAccess, count));
		expect(delays).toEqual([500, 1_000, 2_000, 4_000, 8_000]);
	});

	test('is not sent again with a status after which a message may have been sent', () => {
		const failed = refused('ERR_MESSAGE_NO_ACCESS', 500);
		expect(isRetryable('POST', failed, 0)).toBe(false);
		expect(isRetryable('PUT', failed, 0)).toBe(true);
	});
});
