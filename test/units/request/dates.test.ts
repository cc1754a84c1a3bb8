import { createRequire } from 'node:module';

import { timestampToIso } from '../../../nodes/CometChat/helpers/timestamps';
import { toUnixSeconds } from '../../../nodes/CometChat/request/dates';
import { InputError } from '../../../nodes/CometChat/errors/describedErrors';

/** A subset of Luxon, n8n's date library, which provides the expected results. */
interface Luxon {
	DateTime: {
		fromISO(
			text: string,
			options: { zone: string },
		): { toMillis(): number; diff(other: object): object };
	};
}

const { DateTime }: Luxon = createRequire(__filename)('luxon');

const seconds = (value: unknown, timezone = 'UTC') => toUnixSeconds('Updated At', value, timezone);

test.each(['Europe/Berlin', 'Asia/Kolkata', 'Australia/Lord_Howe', 'America/Santiago'])(
	'reads a date without an offset in the time zone %s like n8n, even around clock changes',
	(zone) => {
		const days = [
			'2026-03-29',
			'2026-04-05',
			'2026-09-05',
			'2026-09-06',
			'2026-10-04',
			'2026-10-25',
		];
		for (const day of days) {
			for (let quarter = 0; quarter < 96; quarter++) {
				const minutes = String((quarter % 4) * 15).padStart(2, '0');
				const text = `${day}T${String(Math.floor(quarter / 4)).padStart(2, '0')}:${minutes}`;
				const reference = DateTime.fromISO(text, { zone }).toMillis() / 1000;
				expect([text, seconds(text, zone)]).toEqual([text, reference]);
			}
		}
	},
);

test('reads a day that starts at 1:00', () => {
	// In Santiago, daylight saving time skips the first hour of September 6, 2026
	expect(seconds('2026-09-06', 'America/Santiago')).toBe(Date.UTC(2026, 8, 6, 4) / 1000);
});

test.each(['UTC', 'Europe/Berlin', 'America/Santiago', 'Asia/Kolkata'])(
	'reads a date as the last second of the day, if the date ends a range, in the time zone %s',
	(zone) => {
		for (const [day, next] of [
			['2026-01-31', '2026-02-01'],
			['2026-03-29', '2026-03-30'],
			['2026-09-05', '2026-09-06'],
		]) {
			const end = toUnixSeconds('Sent Before', day, zone, true);
			expect(end + 1).toBe(seconds(next, zone));
			expect(toUnixSeconds('Sent Before', `${day}T10:00`, zone, true)).toBe(
				seconds(`${day}T10:00`, zone),
			);
		}
	},
);

test.each([
	['2026-01-31t08:00:00z', 1_769_846_400],
	['  2026-01-31 08:00  ', 1_769_846_400],
	['2026-01-31T08:00:59.999Z', 1_769_846_459],
	['2026-01-31', 1_769_817_600],
	['2026-01-31T09:00+01', 1_769_846_400],
	['2026-01-31T03:00-05:00', 1_769_846_400],
	['2026-01-31T22:00+14', 1_769_846_400],
	['20260131', 1_769_817_600],
	['20260131T090000+0100', 1_769_846_400],
	['2026-01-31T08:00:00 +0000', 1_769_846_400],
	[20_260_131, 1_769_817_600],
	['100000000', 100_000_000],
	['0', 0],
	['19710101', 31_536_000],
	['1769846400.9', 1_769_846_400],
	[1_769_846_400.5, 1_769_846_400],
	[0, 0],
	[100_000_000_000, 100_000_000_000],
	[1_769_846_400_000, 1_769_846_400],
	['1769846400999', 1_769_846_400],
	[100_000_000_000_000, 100_000_000_000],
	[new Date(1_769_846_400_999), 1_769_846_400],
	[DateTime.fromISO('2026-01-31T08:00:00Z', { zone: 'Asia/Kolkata' }), 1_769_846_400],
])('reads %p as %i', (value, expected) => expect(seconds(value)).toBe(expected));

test.each<[string, unknown[]]>([
	[
		'must be a date',
		['yesterday', '31.01.2026', '2026-02-31', '2026-13-01', '2026-01-31T25:00', '2026-1-1', '1e9'],
	],
	[
		'must be a date',
		['2026-01-31T08', '2026-01-31T08:61', '2026-01-31T08:00+15:00', '20260231T080000Z'],
	],
	['must be a date', ['99999999', 20_260_231, 7, '7', 46_053, '46053.5', 99_999_999, 0.5]],
	['must be a date', [100_000_000_000_001, 1_769_846_400_000_000, '1769846400000000000']],
	['must be a date', ['P7D', NaN, new Date('x'), true, {}, null, '', { toMillis: 5 }]],
	['must be a date', [-1, '-5', '1969-12-31T23:59:59Z', '0050-01-01', new Date(-1)]],
])('rejects a value that %s: %p', (problem, values) => {
	for (const value of values) {
		expect(() => seconds(value)).toThrow(
			expect.objectContaining({
				constructor: InputError,
				message: expect.stringContaining(`'Updated At' ${problem}`),
			}),
		);
	}
});

test.each<[unknown, string | undefined]>([
	[1_754_127_600, '2025-08-02T09:40:00Z'],
	['1754127600', '2025-08-02T09:40:00Z'],
	[1_754_127_600_123, '2025-08-02T09:40:00Z'],
	[100_000_000_000, '1973-03-03T09:46:40Z'],
	[1_754_127_600.9, '2025-08-02T09:40:00Z'],
	['2025-08-02T09:40:00.000Z', '2025-08-02T09:40:00.000Z'],
	[0, undefined],
	['0', undefined],
	[-5, undefined],
	[NaN, undefined],
	[Infinity, undefined],
	[1e17, undefined],
	['9'.repeat(30), undefined],
	[null, undefined],
	[undefined, undefined],
	[{ a: 1 }, undefined],
	[['1', '2'], undefined],
	[{ toString: 1 }, undefined],
	[true, undefined],
])('formats the time %p as %p', (value, shown) => {
	expect(timestampToIso(value)).toBe(shown);
});
