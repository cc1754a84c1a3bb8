import { readRateLimitHints } from '../../../nodes/CometChat/transport/rateLimitHeaders';

const NOW = Date.UTC(2026, 10, 20, 10, 0, 0);
const seconds = (from: number) => String(NOW / 1000 + from);

describe('Retry-After', () => {
	test.each([
		['3', 3_000],
		[2, 2_000],
		['0', 0],
		['0.25', 250],
	])('reads %j as %i ms', (value, ms) => {
		expect(readRateLimitHints({ 'retry-after': value }, NOW)).toEqual({ retryAfterMs: ms });
	});

	test.each([[undefined], [''], ['soon'], ['-5'], ['1 second'], ['1e3'], ['9'.repeat(13)], [null]])(
		'ignores %j',
		(value) => expect(readRateLimitHints({ 'retry-after': value }, NOW)).toEqual({}),
	);
});

describe('The number of remaining requests', () => {
	test.each(['x-rate-limit', 'x-ratelimit'])('is read from %s-*', (prefix) => {
		const headers = { [`${prefix}-remaining`]: '12', [`${prefix}-reset`]: seconds(30) };
		// Includes a margin of 50 ms for clock differences
		expect(readRateLimitHints(headers, NOW)).toEqual({ remaining: 12, resetMs: 30_050 });
	});

	test.each([['-1'], ['many'], ['NaN'], ['0x10'], [''], [{}]])(
		'is unknown for the header %j',
		(value) => {
			const headers = { 'x-rate-limit-remaining': value, 'x-rate-limit-reset': value };
			expect(readRateLimitHints(headers, NOW)).toEqual({});
		},
	);
});

test.each([
	['has passed', -9, 0],
	['is now', 0, 50],
	['is more than a minute ahead', 3_600, 60_050],
])('limits the end of a window that %s', (_when, from, ms) => {
	expect(readRateLimitHints({ 'x-ratelimit-reset': seconds(from) }, NOW)).toEqual({ resetMs: ms });
});

test("uses the service's clock if the response has a Date header", () => {
	// The service's clock is one hour ahead of n8n's
	const date = 'Fri, 20 Nov 2026 11:00:00 GMT';
	const reset = { date, 'x-ratelimit-reset': seconds(3_605) };
	expect(readRateLimitHints(reset, NOW)).toEqual({ resetMs: 5_050 });
	const broken = { date: 'now', 'x-ratelimit-reset': seconds(5) };
	expect(readRateLimitHints(broken, NOW)).toEqual({ resetMs: 5_050 });
});
