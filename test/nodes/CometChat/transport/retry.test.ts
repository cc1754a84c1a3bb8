import fc from 'fast-check';

import { AnswerError } from '../../../../nodes/CometChat/transport/answer';
import { ConnectionError, StatusError } from '../../../../nodes/CometChat/transport/errors';
import {
	backoffMs,
	delayMs,
	isRateLimit,
	isWorthRetrying,
	mayBeDone,
	retryAfterMs,
} from '../../../../nodes/CometChat/transport/retry';

const status = (statusCode: number, headers = {}) =>
	new StatusError({ statusCode, headers, body: undefined });
const network = (code: string) => new ConnectionError(code, code);
const noAnswer = new AnswerError('no answer', { statusCode: 200, headers: {}, body: '' });

describe('isWorthRetrying', () => {
	test.each([429, 503])('status %i says that nothing was done: anything is sent again', (code) => {
		expect(isWorthRetrying('GET', status(code))).toBe(true);
		expect(isWorthRetrying('DELETE', status(code))).toBe(true);
	});

	test.each([502, 504])(
		'status %i leaves it open: only what changes nothing is sent again',
		(code) => {
			expect(isWorthRetrying('GET', status(code))).toBe(true);
			expect(isWorthRetrying('DELETE', status(code))).toBe(false);
		},
	);

	test.each([301, 400, 401, 403, 404, 500, 501])('status %i is final', (code) => {
		expect(isWorthRetrying('GET', status(code))).toBe(false);
		expect(isWorthRetrying('DELETE', status(code))).toBe(false);
	});

	test.each(['ECONNREFUSED', 'EAI_AGAIN'])(
		'%s: nothing arrived, anything is sent again',
		(code) => {
			expect(isWorthRetrying('DELETE', network(code))).toBe(true);
		},
	);

	test.each(['ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ERR_BAD_RESPONSE', 'ETIMEDOUT'])(
		'%s: it may have arrived, only what changes nothing is sent again',
		(code) => {
			expect(isWorthRetrying('GET', network(code))).toBe(true);
			expect(isWorthRetrying('DELETE', network(code))).toBe(false);
		},
	);

	test('a host that does not exist, a wrong answer and anything unknown are final', () => {
		for (const error of [network('ENOTFOUND'), noAnswer, new Error('x'), undefined]) {
			expect(isWorthRetrying('GET', error)).toBe(false);
		}
	});
});

describe('mayBeDone', () => {
	test('reading changes nothing, so there is nothing to look after', () => {
		for (const error of [status(500), network('ECONNRESET'), noAnswer]) {
			expect(mayBeDone('GET', error)).toBe(false);
		}
	});

	test.each([
		['status 500', status(500), true],
		['status 502', status(502), true],
		['status 404', status(404), false],
		['status 429', status(429), false],
		['status 503', status(503), false],
		['a cut connection', network('ECONNRESET'), true],
		['a timeout', network('ECONNABORTED'), true],
		['an unknown network code', network('EWHATEVER'), true],
		['a refused connection', network('ECONNREFUSED'), false],
		['a host that does not exist', network('ENOTFOUND'), false],
		['an answer of success that is none', noAnswer, true],
		['an error from before the request', new Error('"App ID" is wrong'), false],
	])('after %s a removal may be done: %s', (_name, error, expected) => {
		expect(mayBeDone('DELETE', error)).toBe(expected);
	});

	test('what may be done is never sent again', () => {
		const error = fc.oneof(
			fc.integer({ min: 100, max: 599 }).map((code) => status(code)),
			fc
				.constantFrom('ECONNREFUSED', 'EAI_AGAIN', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'E')
				.map(network),
			fc.constant(noAnswer),
		);
		fc.assert(
			fc.property(error, (ended) => {
				expect(mayBeDone('DELETE', ended) && isWorthRetrying('DELETE', ended)).toBe(false);
			}),
		);
	});
});

test('isRateLimit knows status 429 alone', () => {
	expect(isRateLimit(status(429))).toBe(true);
	expect(isRateLimit(status(503))).toBe(false);
	expect(isRateLimit(network('429'))).toBe(false);
});

describe('retryAfterMs', () => {
	test.each([
		['3', 3_000],
		[' 3 ', 3_000],
		[2, 2_000],
		['0', 0],
		['0.25', 250],
		['Fri, 20 Nov 2026 10:00:07 GMT', 7_000],
		['Fri, 20 Nov 2026 09:59:00 GMT', 0],
	])('%j is %i ms', (value, ms) => {
		expect(retryAfterMs(value, Date.UTC(2026, 10, 20, 10, 0, 0))).toBe(ms);
	});

	test.each([[undefined], [''], ['soon'], ['-5 seconds'], [null], [['3']]])(
		'%j asks for nothing',
		(value) => expect(retryAfterMs(value)).toBeUndefined(),
	);

	test('a date counts from now', () => {
		const ms = retryAfterMs(new Date(Date.now() + 60_000).toUTCString()) ?? NaN;
		expect(ms).toBeGreaterThan(50_000);
		expect(ms).toBeLessThanOrEqual(60_000);
	});
});

describe('backoffMs', () => {
	test('doubles from half a second to half a minute, at least half of it fixed', () => {
		expect([1, 2, 3, 4, 5, 6, 7, 8].map((tries) => backoffMs(tries, 1))).toEqual([
			500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000,
		]);
		expect([1, 2, 7].map((tries) => backoffMs(tries, 0))).toEqual([250, 500, 15_000]);
	});

	test('is different each time but stays in its range', () => {
		const waits = Array.from({ length: 50 }, () => backoffMs(3));
		expect(new Set(waits).size).toBeGreaterThan(1);
		expect(Math.min(...waits)).toBeGreaterThanOrEqual(1_000);
		expect(Math.max(...waits)).toBeLessThanOrEqual(2_000);
	});
});

describe('delayMs', () => {
	test('is what the service asks for', () => {
		expect(delayMs(status(429, { 'retry-after': '7' }), 1)).toBe(7_000);
		expect(delayMs(status(503, { 'retry-after': '0' }), 4)).toBe(0);
	});

	test.each([
		['an answer that asks for nothing', status(429)],
		['no answer', network('ECONNRESET')],
	])('is the backoff after %s', (_name, error) => {
		const wait = delayMs(error, 2);
		expect(wait).toBeGreaterThanOrEqual(500);
		expect(wait).toBeLessThanOrEqual(1_000);
	});
});
