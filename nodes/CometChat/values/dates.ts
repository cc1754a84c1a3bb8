import { tryToParseDateTime } from 'n8n-workflow';

import { InputError } from '../errors/inputError';
import { isObject } from '../transport/json';

/** A number above this is no date in seconds but one in milliseconds: it would be in the year 5138. */
const LARGEST_SECONDS = 100_000_000_000;

/**
 * A number below this, but 0, is no date but a number of days, of a spreadsheet's or of a length of
 * time: it would be before March 1973, long before there were chats.
 */
const SMALLEST_SECONDS = 100_000_000;

/** ISO 8601, with or without hyphens and colons: only what is sure to mean one thing is parsed. */
const ISO_DATE =
	/^(\d{4})-?(\d{2})-?(\d{2})(?:[T ](\d{2}):?(\d{2})(?::?(\d{2}(?:\.\d+)?))?)?\s*(Z|[+-](?:0\d|1[0-4])(?::?[0-5]\d)?)?$/i;

/** Luxon's DateTime, which n8n's `$now` and `toDateTime()` give, as far as it is needed here. */
interface DateTimeLike {
	toMillis(): number;
	toJSON(): string | null;
}

function isDateTime(value: unknown): value is DateTimeLike {
	return isObject(value) && value.isLuxonDateTime === true;
}

/** Luxon's Duration, as the difference of two dates is one; or its ISO 8601 text. */
function isDuration(value: unknown): boolean {
	if (typeof value === 'string') return /^-?P[\dT]/i.test(value.trim());
	return isObject(value) && value.isLuxonDuration === true;
}

/**
 * A time of the service as people read it.
 *
 * @param value Unix seconds, or milliseconds: the service has both; as number or text
 * @returns ISO 8601 in UTC, e.g. 2026-01-31T08:00:00Z; undefined for 0 and for what is no time, but a
 * text that is no number stays
 */
export function isoTimeOf(value: unknown): string | undefined {
	if (typeof value === 'string' && !/^\d+$/.test(value)) return value;
	const time = typeof value === 'string' || typeof value === 'number' ? Number(value) : NaN;
	const date = new Date(time < LARGEST_SECONDS ? time * 1000 : time);
	if (!(time > 0) || Number.isNaN(date.getTime())) return undefined;
	// Whole seconds say enough
	return date.toISOString().replace(/\.\d+/, '');
}

/** @returns the ISO 8601 text of a date of n8n or JavaScript; undefined for anything else */
export function isoTextOf(value: unknown): string | undefined {
	return value instanceof Date || isDateTime(value) ? (value.toJSON() ?? undefined) : undefined;
}

/**
 * A point in time as the service takes it.
 *
 * @param value a Date, an n8n DateTime, an ISO 8601 text, or Unix seconds as number or text
 * @param timezone IANA name of the zone in which a text without an offset is meant: the workflow's
 * @returns Unix seconds, rounded down
 * @throws InputError when it is no date, is before 1970, or is in milliseconds
 */
export function toUnixSeconds(field: string, value: unknown, timezone: string): number {
	if (isDuration(value)) {
		throw new InputError(
			field,
			'must be a date, but it is a length of time',
			'Use {{ $now.minus({ days: 7 }) }} for a week ago.',
		);
	}
	const exact = toSeconds(value, timezone);
	const seconds = Math.floor(exact);
	if (Number.isNaN(exact) || (exact > 0 && exact < SMALLEST_SECONDS && !isDated(value))) {
		throw new InputError(
			field,
			'is not a date',
			'Enter a date such as 2026-01-31T08:00:00Z or {{ $now.minus({ days: 1 }) }}, or Unix seconds.',
		);
	}
	if (seconds < 0) throw new InputError(field, 'is before 1970', 'Enter a later date.');
	if (seconds > LARGEST_SECONDS) {
		throw new InputError(
			field,
			'looks like milliseconds',
			'Enter Unix seconds: divide the number by 1000.',
		);
	}
	return seconds;
}

/** Whether a value names a day, and is no bare number. */
function isDated(value: unknown): boolean {
	return typeof value === 'object' || isoForm(String(value).trim()) !== undefined;
}

function toSeconds(value: unknown, timezone: string): number {
	if (value instanceof Date) return value.getTime() / 1000;
	if (isDateTime(value)) return value.toMillis() / 1000;
	if (typeof value !== 'string' && typeof value !== 'number') return NaN;
	const text = String(value).trim();
	const iso = isoForm(text);
	// Eight digits are a day, as text and as number; other numbers are Unix seconds
	if (iso === undefined) return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : NaN;
	try {
		return tryToParseDateTime(iso, timezone).toMillis() / 1000;
	} catch {
		return NaN;
	}
}

/** @returns the text in the one form that is parsed; undefined when it is no date */
function isoForm(text: string): string | undefined {
	const match = ISO_DATE.exec(text);
	if (match === null) return undefined;
	const [, year, month, day, hours = '00', minutes = '00', seconds = '00', offset = ''] = match;
	const date = `${year}-${month}-${day}`;
	const midnight = new Date(`${date}T00:00:00Z`);
	// Date rolls 31 February over to March: a day that does not exist is no date
	const exists = !Number.isNaN(midnight.getTime()) && midnight.toISOString().slice(0, 10) === date;
	if (!exists) return undefined;
	return `${date}T${hours}:${minutes}:${seconds}${offset.toUpperCase()}`;
}
