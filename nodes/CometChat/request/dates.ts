import { tryToParseDateTime } from 'n8n-workflow';

import { formatValue } from '../errors/formatText';
import { InputError } from '../errors/inputError';
import { asText, isObject } from '../transport/json';

/** Maximum value of Unix seconds, in the year 5138. A larger number is assumed to be milliseconds. */
const MAX_SECONDS = 100_000_000_000;

/**
 * Minimum value of Unix seconds, in March 1973. A smaller number other than 0 is assumed to be a
 * spreadsheet's day number or a duration.
 */
const MIN_SECONDS = 100_000_000;

/** ISO 8601 date, with or without hyphens and colons. All other date formats are ambiguous. */
const ISO_DATE =
	/^(\d{4})-?(\d{2})-?(\d{2})(?:[T ](\d{2}):?(\d{2})(?::?(\d{2}(?:\.\d+)?))?)?\s*(Z|[+-](?:0\d|1[0-4])(?::?[0-5]\d)?)?$/i;

/** Luxon's DateTime, reduced to the methods used here. n8n's `$now` and `toDateTime()` return a DateTime. */
interface DateTimeLike {
	toMillis(): number;
	toJSON(): string | null;
}

function isDateTime(value: unknown): value is DateTimeLike {
	return isObject(value) && value.isLuxonDateTime === true;
}

/**
 * Formats a timestamp from CometChat as ISO 8601 in UTC, e.g. 2026-01-31T08:00:00Z.
 *
 * @param value Unix seconds or milliseconds, as a number or string
 * @returns the formatted time. A non-numeric string is returned unchanged, and any other invalid value or 0
 * gives undefined.
 */
export function formatTime(value: unknown): string | undefined {
	if (typeof value === 'string' && !/^\d+(\.\d+)?$/.test(value)) return value;
	const time = typeof value === 'string' || typeof value === 'number' ? Number(value) : NaN;
	const date = new Date(time < MAX_SECONDS ? time * 1000 : time);
	if (!(time > 0) || Number.isNaN(date.getTime())) return undefined;
	// Drop the milliseconds, e.g. ".000Z"
	return `${date.toISOString().slice(0, -5)}Z`;
}

/** Converts a Date or DateTime to an ISO 8601 string. Returns undefined for any other value. */
export function dateToIso(value: unknown): string | undefined {
	return value instanceof Date || isDateTime(value) ? (value.toJSON() ?? undefined) : undefined;
}

/**
 * Converts a date to Unix seconds, rounded down.
 *
 * @param value a Date, an n8n DateTime, an ISO 8601 string, or Unix seconds as a number or string
 * @param timezone IANA name of the workflow's time zone, used for a string without an offset
 * @param isEndOfRange true if a date without a time means the end of the day instead of its start
 * @throws InputError if the value isn't a date, is before 1970, or is a number of milliseconds
 */
export function toUnixSeconds(
	field: string,
	value: unknown,
	timezone: string,
	isEndOfRange = false,
): number {
	const seconds = Math.floor(toSeconds(value, timezone, isEndOfRange));
	if (Number.isNaN(seconds)) {
		throw new InputError(
			field,
			`must be a date, but it is ${formatValue(value)}`,
			'Enter a date such as 2026-01-31T08:00:00Z, or Unix seconds.',
		);
	}
	if (seconds < 0) throw new InputError(field, 'is before 1970', 'Enter a later date.');
	if (seconds > MAX_SECONDS && isNumeric(value)) {
		throw new InputError(
			field,
			'looks like milliseconds',
			'Enter Unix seconds: divide the number by 1000.',
		);
	}
	return seconds;
}

const isNumeric = (value: unknown): boolean =>
	typeof value !== 'object' && /^-?\d+(\.\d+)?$/.test(asText(value).trim());

function toSeconds(value: unknown, timezone: string, isEndOfRange: boolean): number {
	if (value instanceof Date) return value.getTime() / 1000;
	if (isDateTime(value)) return value.toMillis() / 1000;
	if (typeof value !== 'string' && typeof value !== 'number') return NaN;
	const text = String(value).trim();
	const iso = toExtendedIso(text, isEndOfRange ? '23:59:59' : '00:00:00');
	if (iso === undefined) {
		// Eight digits, such as 20260131, are a date. Every other number is Unix seconds.
		const seconds = isNumeric(text) ? Number(text) : NaN;
		return seconds > 0 && seconds < MIN_SECONDS ? NaN : seconds;
	}
	try {
		return tryToParseDateTime(iso, timezone).toMillis() / 1000;
	} catch {
		return NaN;
	}
}

/**
 * Returns the date in ISO 8601's extended format, or undefined if the string isn't a date.
 *
 * @param timeOfDay time for a date without a time
 */
function toExtendedIso(text: string, timeOfDay: string): string | undefined {
	const match = ISO_DATE.exec(text);
	if (match === null) return undefined;
	const [, year, month, day, hours, minutes, seconds = '00', offset = ''] = match;
	const date = `${year}-${month}-${day}`;
	const midnight = new Date(`${date}T00:00:00Z`);
	// Date would roll February 31 over to March, so compare the day
	const exists = !Number.isNaN(midnight.getTime()) && midnight.toISOString().slice(0, 10) === date;
	if (!exists) return undefined;
	const time = hours === undefined ? timeOfDay : `${hours}:${minutes}:${seconds}`;
	return `${date}T${time}${offset.toUpperCase()}`;
}
