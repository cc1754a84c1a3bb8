import { readLimitHints } from '../../../../nodes/CometChat/transport/limitHeaders';

const NOW = Date.UTC(2026, 10, 20, 10, 0, 0);
const seconds = (from: number) => String(NOW / 1000 + from);

describe('Retry-After', () => {
	test.each([
		['3', 3_000],
		[' 3 ', 3_000],
		[2, 2_000],
		['0', 0],
		['0.25', 250],
		['Fri, 20 Nov 2026 10:00:07 GMT', 7_000],
		['Fri, 20 Nov 2026 09:59:00 GMT', 0],
		['9'.repeat(400), 1e15],
	])('%j is %i ms', (value, ms) => {
		expect(readLimitHints({ 'retry-after': value }, NOW).retryAfterMs).toBe(ms);
	});

	test.each([[undefined], [''], ['soon'], ['-5'], ['-5 seconds'], ['1e3'], [NaN], [null], [['3']]])(
		'%j asks for nothing',
		(value) => expect(readLimitHints({ 'retry-after': value }, NOW).retryAfterMs).toBeUndefined(),
	);

	test('is a date of the service, whose clock may be hours off', () => {
		const headers = {
			date: 'Fri, 20 Nov 2026 13:00:00 GMT',
			'retry-after': 'Fri, 20 Nov 2026 13:00:07 GMT',
		};
		expect(readLimitHints(headers, NOW).retryAfterMs).toBe(7_000);
	});
});

describe('what is left', () => {
	test.each(['x-rate-limit', 'x-ratelimit', 'ratelimit'])('is read from %s-*', (prefix) => {
		const headers = { [`${prefix}-remaining`]: '12', [`${prefix}-reset`]: seconds(30) };
		expect(readLimitHints(headers, NOW)).toMatchObject({ remaining: 12, resetMs: 30_000 });
	});

	test.each([['-1'], ['many'], ['NaN'], ['0x10'], [''], [{}]])('%j is not a number', (value) => {
		const headers = { 'x-rate-limit-remaining': value, 'x-rate-limit-reset': value };
		expect(readLimitHints(headers, NOW)).toEqual({});
	});

	test('is found in one spelling when the other makes no sense', () => {
		const headers = { 'x-rate-limit-remaining': 'lots', 'x-ratelimit-remaining': '5' };
		expect(readLimitHints(headers, NOW).remaining).toBe(5);
	});
});

describe('the end of the window', () => {
	test.each([
		['Unix seconds', seconds(9), 9_000],
		['Unix seconds that have passed', seconds(-9), 0],
		['seconds from now', '9', 9_000],
	])('comes as %s', (_name, value, ms) => {
		expect(readLimitHints({ 'x-rate-limit-reset': value }, NOW).resetMs).toBe(ms);
	});

	test('is by the clock of the service when that is hours off', () => {
		const headers = {
			date: 'Fri, 20 Nov 2026 07:00:00 GMT',
			'x-rate-limit-reset': seconds(-10_795),
		};
		expect(readLimitHints(headers, NOW).resetMs).toBe(5_000);
	});

	test('is by the clock of this machine when they agree but for the rounding', () => {
		const headers = { date: 'Fri, 20 Nov 2026 10:00:00 GMT', 'x-rate-limit-reset': seconds(2) };
		expect(readLimitHints(headers, NOW + 900).resetMs).toBe(1_100);
	});
});
