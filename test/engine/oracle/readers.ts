/**
 * Reads parameter values as docs/output-and-errors.md describes, "How values are read" and "Empty values". The
 * oracle doesn't import the node's code, or else it would repeat the node's faults.
 */

/** Thrown for a value that the node must refuse. */
export class Unreadable extends Error {}

/** Returns the value, or undefined if the value is left out. */
export type Read<T = unknown> = (given: unknown) => T | undefined;

/** Creates a reader that leaves out empty values, and refuses an expression that found nothing. */
const filled =
	<T>(read: (given: unknown) => T): Read<T> =>
	(given) => {
		if (given === undefined) throw new Unreadable();
		const isBlank = [given].flat().every((each) => each === null || String(each).trim() === '');
		return isBlank ? undefined : read(given);
	};

function require(isValid: boolean): void {
	if (!isValid) throw new Unreadable();
}

export const text = filled((given) => {
	require(typeof given === 'string' || typeof given === 'number');
	return String(given).trim();
});

/** Reads a UID or GUID. CometChat ignores the case of IDs. */
export const id = filled((given) => {
	require(/^[\w-]{1,100}$/.test(String(given).trim()));
	return String(given).trim();
});

const isJsonList = (given: unknown): given is string =>
	typeof given === 'string' && given.trim().startsWith('[');

/** Reads a list. Entries of a list stay whole, so an entry of a filter with a comma is refused. */
export const texts = filled((given): string[] => {
	const entries: unknown[] = Array.isArray(given)
		? given
		: isJsonList(given)
			? JSON.parse(given)
			: String(given).split(String(given).trim().includes('\n') ? '\n' : ',');
	const trimmed = entries.map((entry) => String(entry ?? '').trim()).filter(Boolean);
	require(trimmed.every((entry) => !entry.includes(',')));
	return [...new Set(trimmed)];
});

export const ids: Read<string[]> = (given) => texts(given)?.map((each) => id(each) ?? '');

const choose = (allowed: string[], given: string) => {
	const found = allowed.find((each) => each.toLowerCase() === given.trim().toLowerCase());
	if (found === undefined) throw new Unreadable();
	return found;
};

export const choice = (...allowed: string[]) => filled((given) => choose(allowed, String(given)));

export const choices =
	(...allowed: string[]): Read<string[]> =>
	(given) =>
		texts(given)?.map((each) => choose(allowed, each));

export const toggle = filled((given) =>
	['true', 'yes', '1'].includes(choose(['true', 'yes', '1', 'false', 'no', '0'], String(given))),
);

export const whole = (max = Infinity) =>
	filled((given) => {
		const number = /^\s*\d+\s*$/.test(String(given)) ? Number(given) : 0;
		require(number >= 1 && number <= max);
		return number;
	});

/** Offset of n8n's default time zone, America/New_York, in summer. */
const OFFSET = '-04:00';

/** Creates a reader for Unix seconds or an ISO date. A date without a time means the given time of that day. */
export const date = (timeOfDay = '00:00:00') =>
	filled((given) => {
		const value = String(given).trim();
		if (/^\d{9,11}$/.test(value)) return Number(value);
		const full = /^\d{4}-\d\d-\d\d$/.test(value) ? `${value}T${timeOfDay}` : value;
		const seconds = Date.parse(/(Z|[+-]\d\d:\d\d)$/.test(full) ? full : full + OFFSET) / 1000;
		require(!Number.isNaN(seconds));
		return seconds;
	});
