import { tryToParseDateTime } from 'n8n-workflow';

import { InputError } from '../errors/inputError';

/** A number above this is no date in seconds but one in milliseconds: it would be in the year 5138. */
const LARGEST_SECONDS = 100_000_000_000;

/** ISO 8601, with or without hyphens and colons: only what is sure to mean one thing is parsed. */
const ISO_DATE =
	/^(\d{4})-?(\d{2})-?(\d{2})(?:[T ](\d{2}):?(\d{2})(?::?(\d{2}(?:\.\d+)?))?)?\s*(Z|[+-](?:0\d|1[0-4])(?::?[0-5]\d)?)?$/i;

/** Luxon's DateTime, which n8n's `$now` and `toDateTime()` give, as far as it is needed here. */
interface DateTimeLike {
	toMillis(): number;
	toJSON(): string | null;
}

function isDateTime(value: unknown): value is DateTimeLike {
	return (
		typeof value === 'object' &&
		value !== null &&
		'toMillis' in value &&
		typeof value.toMillis === 'function'
	);
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
	const seconds = Math.floor(toSeconds(value, timezone));
	if (Number.isNaN(seconds)) {
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

function toSeconds(value: unknown, timezone: string): number {
	if (typeof value === 'number') return value;
	if (value instanceof Date) return value.getTime() / 1000;
	if (isDateTime(value)) return value.toMillis() / 1000;
	if (typeof value !== 'string') return NaN;
	const text = value.trim();
	const iso = isoForm(text);
	// Eight digits are a date when there is such a day; other numbers are Unix seconds
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
