import {
	readLimitVerdict,
	readRateLimitHeaders,
	readWaitMsInText,
} from '../../../nodes/CometChat/transport/rateLimitHeaders';

const NOW = Date.UTC(2026, 10, 20, 10, 0, 0);
const seconds = (from: number) => String(NOW / 1000 + from);

describe('Retry-After', () => {
	test.each([
		['3', 3_000],
		[2, 2_000],
		['0', 0],
		['0.25', 250],
	])('reads %j as %i ms', (value, ms) => {
		expect(readRateLimitHeaders({ 'retry-after': value }, NOW)).toEqual({ retryAfterMs: ms });
	});

	test.each([[undefined], [''], ['soon'], ['-5'], ['1 second'], ['1e3'], ['9'.repeat(13)], [null]])(
		'ignores %j',
		(value) => expect(readRateLimitHeaders({ 'retry-after': value }, NOW)).toEqual({}),
	);

	test.each([
		['Sun, 01 Nov 2026 00:01:00 GMT', 60_000],
		['Sunday, 01-Nov-26 00:01:00 GMT', 60_000],
		['Sun Nov  1 00:01:00 2026', 60_000],
		['Sat, 31 Oct 2026 23:00:00 GMT', 0],
	])('reads the date %j as %i ms, by the clock of the response', (value, ms) => {
		const headers = { 'retry-after': value, date: 'Sun, 01 Nov 2026 00:00:00 GMT' };
		expect(readRateLimitHeaders(headers, NOW)).toEqual({ retryAfterMs: ms });
	});

	test.each([undefined, 'today'])("is compared with n8n's clock if the date is %j", (date) => {
		const headers = { 'retry-after': new Date(NOW + 20_000).toUTCString(), date };
		expect(readRateLimitHeaders(headers, NOW)).toEqual({ retryAfterMs: 20_000 });
	});

	test.each([
		'2026-11-20T10:01:00Z',
		'Fri, 99 Nov 2026 00:01:00 GMT',
		'Fri, 20 Nov',
		'20 Nov 2026',
	])('ignores the date %j', (value) =>
		expect(readRateLimitHeaders({ 'retry-after': value }, NOW)).toEqual({}),
	);
});

describe('The number of remaining requests', () => {
	test.each(['x-rate-limit', 'x-ratelimit'])('is read from %s-*', (prefix) => {
		const headers = { [`${prefix}-remaining`]: '12', [`${prefix}-reset`]: seconds(30) };
		// Includes a margin of 50 ms for clock differences
		expect(readRateLimitHeaders(headers, NOW)).toEqual({ remaining: 12, resetAfterMs: 30_050 });
	});

	test.each([['-1'], ['many'], ['NaN'], ['0x10'], [''], [{}]])(
		'is unknown for the header %j',
		(value) => {
			const headers = { 'x-rate-limit-remaining': value, 'x-rate-limit-reset': value };
			expect(readRateLimitHeaders(headers, NOW)).toEqual({});
		},
	);
});

test.each([
	['has passed', -9, 0],
	['is now', 0, 50],
	['is more than a minute ahead', 3_600, 60_050],
])('limits the end of a window that %s', (_when, from, ms) => {
	expect(readRateLimitHeaders({ 'x-ratelimit-reset': seconds(from) }, NOW)).toEqual({
		resetAfterMs: ms,
	});
});

test("uses the service's clock if the response has a Date header", () => {
	// The service's clock is one hour ahead of n8n's
	const date = 'Fri, 20 Nov 2026 11:00:00 GMT';
	const reset = { date, 'x-ratelimit-reset': seconds(3_605) };
	expect(readRateLimitHeaders(reset, NOW)).toEqual({ resetAfterMs: 5_050 });
	const broken = { date: 'now', 'x-ratelimit-reset': seconds(5) };
	expect(readRateLimitHeaders(broken, NOW)).toEqual({ resetAfterMs: 5_050 });
});

test.each([
	[-1, 5_050],
	[0, 5_050],
	[600, 4_450],
	[1_600, 3_450],
	[1_999, 3_051],
	[2_000, 5_050],
])(
	"uses n8n's clock for parts of a second, if it is %d ms ahead of Date",
	(aheadMs, resetAfterMs) => {
		const headers = { date: new Date(NOW).toUTCString(), 'x-ratelimit-reset': seconds(5) };
		expect(readRateLimitHeaders(headers, NOW + aheadMs)).toEqual({ resetAfterMs });
	},
);

test.each([
	['Please retry after 8 seconds.', 8_000],
	['Retry after 2.5s', 2_500],
	['retry after: 30', 30_000],
	['retry after 1500 ms', 1_500],
	['retry after 200 milliseconds', 200],
	['Retry-After: 2 minutes', 120_000],
	['{"error":{"message":"retry after 9"}}', 9_000],
	['retry after a while', undefined],
	['', undefined],
	[undefined, undefined],
])('reads the wait in the text %j as %s ms', (text, ms) => {
	expect(readWaitMsInText(text)).toBe(ms);
});

test.each<[string, number, Record<string, unknown>, string, object]>([
	['Retry-After', 429, { 'retry-after': '3' }, 'Retry after 8 seconds', { waitMs: 3_000 }],
	[
		'the text',
		429,
		{ 'x-ratelimit-reset': seconds(30) },
		'Retry after 8 seconds',
		{ waitMs: 8_000 },
	],
	["the window's end", 429, { 'x-ratelimit-reset': seconds(30) }, '', { waitMs: 30_050 }],
	['no wait of 0', 429, { 'retry-after': '0' }, '', { waitMs: undefined }],
	['remaining requests', 400, { 'x-ratelimit-remaining': '2' }, '', { remaining: 2 }],
])('reads %s from a response with status %i', (_, statusCode, headers, text, expected) => {
	const name = statusCode === 429 ? 'refused' : 'accepted';
	expect(readLimitVerdict({ statusCode, headers, text }, NOW)).toEqual({ name, ...expected });
});

test.each([undefined, 500, 503])('reads nothing about a limit from the status %j', (statusCode) => {
	const headers = { 'retry-after': '3', 'x-ratelimit-remaining': '0' };
	const response = statusCode === undefined ? undefined : { statusCode, headers };
	expect(readLimitVerdict(response, NOW)).toEqual({ name: 'inconclusive' });
});
