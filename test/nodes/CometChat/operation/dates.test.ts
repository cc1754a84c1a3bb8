import fc from 'fast-check';
import { createRequire } from 'node:module';

import { toUnixSeconds } from '../../../../nodes/CometChat/operation/dates';
import { InputError } from '../../../../nodes/CometChat/errors/inputError';

/** Luxon as far as these tests need it: n8n's own date library, here the independent reference. */
interface LuxonTime {
	isValid: boolean;
	toMillis(): number;
	toFormat(format: string): string;
	getPossibleOffsets(): LuxonTime[];
}

interface Luxon {
	DateTime: {
		fromISO(text: string, options: { zone: string; setZone?: boolean }): LuxonTime;
		fromSeconds(seconds: number, options: { zone: string }): LuxonTime;
	};
}

const { DateTime }: Luxon = createRequire(__filename)('luxon');

const seconds = (value: unknown, timezone = 'UTC') => toUnixSeconds('Updated At', value, timezone);

/** 1980 to 2037. */
const moment = fc.integer({ min: 315_532_800, max: 2_145_916_800 });

const zone = fc.constantFrom(
	'UTC',
	'America/New_York',
	'Europe/Berlin',
	'Asia/Kolkata',
	'Australia/Lord_Howe',
	'America/St_Johns',
	'Pacific/Auckland',
	'Pacific/Apia',
	'America/Santiago',
	'Africa/Cairo',
	'Asia/Beirut',
);

const twoDigits = (number: number) => String(number).padStart(2, '0');

describe('toUnixSeconds', () => {
	test('a date with any offset comes out as the moment it was made from', () => {
		const offset = fc.record({
			sign: fc.constantFrom('+', '-'),
			hours: fc.integer({ min: 0, max: 14 }),
			minutes: fc.constantFrom(0, 15, 30, 45),
			colon: fc.boolean(),
		});
		fc.assert(
			fc.property(moment, offset, (at, { sign, hours, minutes, colon }) => {
				const shift = (sign === '-' ? -1 : 1) * (hours * 60 + minutes) * 60;
				const wallClock = new Date((at + shift) * 1000).toISOString().slice(0, 19);
				const suffix = `${sign}${twoDigits(hours)}${colon ? ':' : ''}${twoDigits(minutes)}`;
				expect(seconds(`${wallClock}${suffix}`, 'America/New_York')).toBe(at);
				expect(seconds(`${wallClock}${suffix}`)).toBe(
					DateTime.fromISO(`${wallClock}${suffix}`, { zone: 'UTC' }).toMillis() / 1000,
				);
			}),
			{ numRuns: 300 },
		);
	});

	test('a date without an offset is meant in the zone of the workflow, as n8n itself reads it', () => {
		fc.assert(
			fc.property(moment, zone, (at, timezone) => {
				const text = new Date(at * 1000).toISOString().slice(0, 19);
				const reference = DateTime.fromISO(text, { zone: timezone }).toMillis() / 1000;
				expect(seconds(text, timezone)).toBe(reference);
				expect(seconds(text.replace('T', ' '), timezone)).toBe(reference);
				expect(seconds(text.replaceAll(/[-:]/g, ''), timezone)).toBe(reference);
			}),
			{ numRuns: 500 },
		);
	});

	test.each(['America/New_York', 'Europe/Berlin', 'Australia/Lord_Howe', 'America/Santiago'])(
		'every quarter of an hour around the changes of the clocks in %s is read as n8n reads it',
		(timezone) => {
			const days = [
				'2026-03-08',
				'2026-03-29',
				'2026-04-04',
				'2026-04-05',
				'2026-09-05',
				'2026-09-06',
				'2026-10-04',
				'2026-10-25',
				'2026-11-01',
			];
			for (const day of days) {
				for (let quarter = 0; quarter < 96; quarter++) {
					const text = `${day}T${twoDigits(Math.floor(quarter / 4))}:${twoDigits((quarter % 4) * 15)}`;
					const reference = DateTime.fromISO(text, { zone: timezone }).toMillis() / 1000;
					expect([text, seconds(text, timezone)]).toEqual([text, reference]);
				}
			}
		},
	);

	test('a day that begins an hour late is not the evening before', () => {
		// In Santiago the clocks go from 24:00 on 5 September 2026 to 01:00
		expect(seconds('2026-09-06', 'America/Santiago')).toBe(Date.UTC(2026, 8, 6, 4) / 1000);
		expect(seconds('2026-09-05T23:59:59', 'America/Santiago')).toBe(
			Date.UTC(2026, 8, 6, 4) / 1000 - 1,
		);
	});

	test.each([
		['2026-01-31T08:00:00Z', 1_769_846_400],
		['2026-01-31t08:00:00z', 1_769_846_400],
		['2026-01-31 08:00', 1_769_846_400],
		['  2026-01-31T08:00  ', 1_769_846_400],
		['2026-01-31T08:00:00.999Z', 1_769_846_400],
		['2026-01-31', 1_769_817_600],
		['2026-01-31T09:00+01', 1_769_846_400],
		['2026-01-31T03:00-05:00', 1_769_846_400],
		['20260131', 1_769_817_600],
		['20260131T080000Z', 1_769_846_400],
		['20260131T0800', 1_769_846_400],
		['20260131T090000+0100', 1_769_846_400],
		['2026-01-31Z', 1_769_817_600],
		['99999999', 99_999_999], // no such day, so Unix seconds
		[20_260_131, 20_260_131],
		['2026-01-31T08:00:00 +0000', 1_769_846_400],
		['1769846400', 1_769_846_400],
		['1769846400.9', 1_769_846_400],
		[1_769_846_400.5, 1_769_846_400],
		[0, 0],
		[new Date(1_769_846_400_999), 1_769_846_400],
		[DateTime.fromISO('2026-01-31T08:00:00Z', { zone: 'Asia/Kolkata' }), 1_769_846_400],
	])('%p is %i', (value, expected) => expect(seconds(value)).toBe(expected));

	test.each([
		['yesterday'],
		['31.01.2026'],
		['2026-02-31'],
		['2025-02-29T10:00Z'],
		['2026-13-01'],
		['2026-01-31T25:00'],
		['2026-01-31T08:00:00+1'],
		['2026-1-1'],
		['1e9'],
		[NaN],
		[new Date('x')],
		[true],
		[{}],
		[null],
		[''],
		['20260231T080000Z'],
		['2026-01-31T08'],
		['2026-01-31T08:61'],
		['2026-01-31T08:00+15:00'],
		['2026-01-31T08:00-01:60'],
		[{ toMillis: 5 }],
	])('%p is not a date, and the advice shows one', (value) => {
		expect(() => seconds(value)).toThrow(
			expect.objectContaining({
				message: "'Updated At' is not a date",
				description: expect.stringContaining('2026-01-31T08:00:00Z'),
			}),
		);
	});

	test.each([[-1], ['-5'], ['1969-12-31T23:59:59Z'], ['0050-01-01'], [new Date(-1)]])(
		'%p is before 1970',
		(value) => {
			expect(() => seconds(value, 'Europe/Berlin')).toThrow("'Updated At' is before 1970");
		},
	);

	test('milliseconds are noticed, and the advice says what to do', () => {
		expect(() => seconds(1_769_846_400_000)).toThrow(
			expect.objectContaining({
				message: "'Updated At' looks like milliseconds",
				description: expect.stringContaining('divide the number by 1000'),
			}),
		);
		expect(seconds(100_000_000_000)).toBe(100_000_000_000);
		expect(() => seconds(100_000_000_001)).toThrow(InputError);
	});

	test('any value is refused in words or gives whole seconds from 1970 on', () => {
		fc.assert(
			fc.property(fc.oneof(fc.anything(), fc.string()), zone, (value, timezone) => {
				try {
					const result = seconds(value, timezone);
					expect(Number.isInteger(result) && result >= 0).toBe(true);
				} catch (error) {
					expect(error).toBeInstanceOf(InputError);
				}
			}),
			{ numRuns: 1_000 },
		);
	});
});
