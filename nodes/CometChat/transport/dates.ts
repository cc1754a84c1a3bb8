import { InputError, isEmpty } from './input';

/** A number above this is no date in seconds but one in milliseconds: it would be in the year 5138. */
const LARGEST_SECONDS = 100_000_000_000;

const ISO_DATE =
	/^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?))?\s*(Z|[+-]\d{2}(?::?\d{2})?)?$/i;

/** Luxon's DateTime, which n8n's `$now` and `toDateTime()` give, as far as it is needed here. */
interface DateTimeLike {
	toMillis(): number;
}

function isDateTime(value: unknown): value is DateTimeLike {
	return (
		typeof value === 'object' &&
		value !== null &&
		'toMillis' in value &&
		typeof value.toMillis === 'function'
	);
}

/**
 * A point in time as the service takes it.
 *
 * @param value a Date, an n8n DateTime, an ISO 8601 text, or Unix seconds as number or text
 * @param timezone IANA name of the zone in which a text without an offset is meant: the workflow's
 * @returns Unix seconds, rounded down, or undefined when the field was left empty
 * @throws InputError when it is no date, is before 1970, or is in milliseconds
 */
export function toUnixSeconds(field: string, value: unknown, timezone: string): number | undefined {
	if (isEmpty(value)) return undefined;
	const seconds = Math.floor(toSeconds(value, timezone));
	if (Number.isNaN(seconds)) {
		throw new InputError(
			field,
			'is not a date',
			'Give a date such as 2026-01-31T08:00:00Z, or Unix seconds.',
		);
	}
	if (seconds < 0) throw new InputError(field, 'is before 1970');
	if (seconds > LARGEST_SECONDS) {
		throw new InputError(
			field,
			'looks like milliseconds',
			'Give Unix seconds: divide the number by 1000.',
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
	if (/^-?\d+(\.\d+)?$/.test(text)) return Number(text);
	return isoToSeconds(text, timezone);
}

function isoToSeconds(text: string, timezone: string): number {
	const [, date, time = '00:00', offset] = ISO_DATE.exec(text) ?? [];
	if (date === undefined) return NaN;
	const asUtc = Date.parse(`${date}T${time}Z`);
	// Date.parse rolls 31 February over to March: a date that does not exist is no date
	if (Number.isNaN(asUtc) || new Date(asUtc).toISOString().slice(0, 10) !== date) return NaN;
	if (offset === undefined) return zonedMillis(asUtc, timezone) / 1000;
	return (asUtc - offsetMillis(offset)) / 1000;
}

function offsetMillis(offset: string): number {
	const [, sign, hours, minutes = '00'] = /^([+-])(\d{2}):?(\d{2})?$/.exec(offset) ?? [];
	if (hours === undefined) return 0; // Z
	return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}

/** The moment at which the clocks of a zone show the time that `wallClock` shows in UTC. */
function zonedMillis(wallClock: number, timezone: string): number {
	const guess = wallClock - zoneOffset(wallClock, timezone);
	// Near a change of the clocks the first offset may be the wrong one: take that of the guess
	return wallClock - zoneOffset(guess, timezone);
}

function zoneOffset(at: number, timezone: string): number {
	const parts = new Intl.DateTimeFormat('en-US', {
		timeZone: timezone,
		hourCycle: 'h23',
		year: 'numeric',
		month: 'numeric',
		day: 'numeric',
		hour: 'numeric',
		minute: 'numeric',
		second: 'numeric',
	}).formatToParts(at);
	const get = (type: string) => Number(parts.find((part) => part.type === type)?.value);
	const shown = Date.UTC(
		get('year'),
		get('month') - 1,
		get('day'),
		get('hour'),
		get('minute'),
		get('second'),
	);
	return shown - Math.floor(at / 1000) * 1000;
}
