/**
 * Limit between Unix seconds and milliseconds: as seconds, a time in the year 5138. A larger number is read as
 * milliseconds. In a parameter, a number that is more than 1,000 times the limit, e.g. microseconds, is refused.
 */
export const MAX_NUMBER_READ_AS_SECONDS = 100_000_000_000;

/**
 * Formats a timestamp from CometChat as ISO 8601 in UTC, e.g. 2026-01-31T08:00:00Z.
 *
 * @param value Unix seconds or milliseconds, as a number or string
 * @returns the formatted time, or undefined for 0 or an invalid value. A non-numeric string is returned unchanged.
 */
export function timestampToIso(value: unknown): string | undefined {
	if (typeof value === 'string' && !/^\d+(\.\d+)?$/.test(value)) return value;
	const time = typeof value === 'string' || typeof value === 'number' ? Number(value) : NaN;
	const date = new Date(time < MAX_NUMBER_READ_AS_SECONDS ? time * 1000 : time);
	if (!(time > 0) || Number.isNaN(date.getTime())) return undefined;
	// Drop the milliseconds, e.g. ".000Z"
	return `${date.toISOString().slice(0, -5)}Z`;
}
