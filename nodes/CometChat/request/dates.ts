import { tryToParseDateTime } from 'n8n-workflow';

import { formatValueForError } from '../helpers/formatText';
import { InputError } from '../errors/describedErrors';
import { isObject } from '../helpers/json';
import { MAX_NUMBER_READ_AS_SECONDS } from '../helpers/timestamps';

/**
 * Smallest Unix timestamp that a parameter accepts, in seconds (March 1973). Smaller numbers, except 0, are
 * probably spreadsheet dates or durations.
 */
const MIN_UNIX_SECONDS = 100_000_000;

/**
 * ISO 8601 date with an optional time, with or without hyphens and colons. Other date formats are refused,
 * because some are ambiguous, e.g. 01/02/2026.
 */
const ISO_DATE_PATTERN =
	/^(\d{4})-?(\d{2})-?(\d{2})(?:[T ](\d{2}):?(\d{2})(?::?(\d{2}(?:\.\d+)?))?)?\s*(Z|[+-](?:0\d|1[0-4])(?::?[0-5]\d)?)?$/i;

/** Luxon's DateTime, reduced to the methods used here. n8n's `$now` and `toDateTime()` return a DateTime. */
interface DateTimeLike {
	toMillis(): number;
	toJSON(): string | null;
}

function isDateTime(value: unknown): value is DateTimeLike {
	return isObject(value) && value.isLuxonDateTime === true;
}

/** Converts a valid Date or DateTime to an ISO 8601 string. Returns undefined for any other value. */
export function dateObjectToIsoOrUndefined(value: unknown): string | undefined {
	return value instanceof Date || isDateTime(value) ? (value.toJSON() ?? undefined) : undefined;
}

/**
 * Converts a date to Unix seconds, rounded down.
 *
 * @param value a Date, an n8n DateTime, an ISO 8601 string, or Unix seconds or milliseconds as a number or
 * string
 * @param timezone IANA name of the workflow's time zone, used for a string without an offset
 * @param isEndOfRange true if a date without a time means the end of the day instead of its start
 * @throws InputError if the value isn't a date or is before 1970
 */
export function toUnixSeconds(
	label: string,
	value: unknown,
	timezone: string,
	isEndOfRange = false,
): number {
	const seconds = Math.floor(toUnixSecondsOrNaN(value, timezone, isEndOfRange));
	if (seconds >= 0) return seconds;
	throw new InputError(
		label,
		`must be a date since 1970, but it is ${formatValueForError(value)}`,
		'Enter a date such as 2026-01-31T08:00:00Z, or Unix seconds.',
	);
}

function toUnixSecondsOrNaN(value: unknown, timezone: string, isEndOfRange: boolean): number {
	if (value instanceof Date) return value.getTime() / 1000;
	if (isDateTime(value)) return value.toMillis() / 1000;
	if (typeof value !== 'string' && typeof value !== 'number') return NaN;
	const text = String(value).trim();
	// Eight digits, such as 20260131, are a date. Any other number is a Unix time.
	const match = ISO_DATE_PATTERN.exec(text);
	if (match === null) return readUnixTime(text);
	const [, year, month, day, hours, minutes, seconds = '', offset = ''] = match;
	const timeOfDay = isEndOfRange ? '235959' : '000000';
	const time = hours === undefined ? timeOfDay : `${hours}${minutes}${seconds}`;
	try {
		const iso = `${year}${month}${day}T${time}${offset}`;
		return tryToParseDateTime(iso, timezone).toMillis() / 1000;
	} catch {
		return NaN;
	}
}

/** Converts Unix seconds or milliseconds to seconds. Returns NaN for any other text, and for numbers out of range. */
function readUnixTime(text: string): number {
	const time = /^\d+(\.\d+)?$/.test(text) ? Number(text) : NaN;
	if (time > 1000 * MAX_NUMBER_READ_AS_SECONDS) return NaN;
	if (time > MAX_NUMBER_READ_AS_SECONDS) return time / 1000;
	return time > 0 && time < MIN_UNIX_SECONDS ? NaN : time;
}
