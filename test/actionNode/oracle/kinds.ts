import * as fc from 'fast-check';

/**
 * Kinds of parameter values: how the node reads them, as docs/output-and-errors.md describes in "How values are
 * read" and "Empty values", and how they are drawn. The oracle doesn't import the node's code, or else it would
 * repeat the node's faults.
 */

/** Thrown for a value that the node must refuse. */
export class Unreadable extends Error {}

export interface Kind {
	/** Returns the value, or undefined if the value is left out. */
	read: (given: unknown) => unknown;
	/** Draws ordinary values, and a few mistakes. */
	draw: fc.Arbitrary<unknown>;
}

function ensure(isValid: boolean): void {
	if (!isValid) throw new Unreadable();
}

const isBlank = (value: unknown): boolean => value === null || String(value).trim() === '';

function createKind(
	read: (given: unknown) => unknown,
	good: fc.Arbitrary<unknown>,
	...mistakes: unknown[]
): Kind {
	return {
		read: (given) => {
			ensure(given !== undefined);
			const value = [given].flat().every(isBlank) ? [] : read(given);
			return Array.isArray(value) && value.length === 0 ? undefined : value;
		},
		draw: fc.oneof(
			{ weight: 30, arbitrary: good },
			{ weight: 2, arbitrary: fc.constantFrom('', ' ', null) },
			...(mistakes.length > 0 ? [{ weight: 2, arbitrary: fc.constantFrom(...mistakes) }] : []),
		),
	};
}

export const text = (...examples: unknown[]) =>
	createKind((given) => String(given).trim(), fc.constantFrom(...examples));

const readId = (given: unknown) => {
	ensure(/^[\w-]{1,100}$/.test(String(given).trim()));
	return String(given).trim();
};

/** A UID or GUID. */
export const id = (...examples: string[]) =>
	createKind(readId, fc.constantFrom(...examples), 'no id', 'unknown');

/** Reads a list. Entries of a list stay whole, even if they contain commas. */
function readList(given: unknown): string[] {
	const isJson = typeof given === 'string' && given.startsWith('[');
	const list: unknown = isJson ? JSON.parse(given) : given;
	const separator = String(list).trim().includes('\n') ? '\n' : ',';
	const entries = Array.isArray(list) ? list.map(String) : String(list).split(separator);
	return [...new Set(entries.map((entry) => entry.trim()).filter(Boolean))];
}

const list = (examples: string[], read: (entry: string) => string | string[]) =>
	createKind(
		(given) => readList(given).flatMap(read),
		fc
			.tuple(
				fc.subarray(examples, { minLength: 1, maxLength: Math.min(3, examples.length) }),
				fc.nat(3),
			)
			.map(([entries, form]) => {
				const forms = [JSON.stringify(entries), entries.join(', '), `${entries.join('\n')}\n`];
				return forms[form] ?? entries;
			}),
		['a, b'],
		['c, d'],
		[' ', ''],
	);

/** Names of fields. */
export const names = (...examples: string[]) => list(examples, (entry) => entry);

/** Texts for a filter. CometChat separates them by commas, so a text with a comma is refused. */
export const texts = (...examples: string[]) =>
	list(examples, (entry) => {
		ensure(!entry.includes(','));
		return entry;
	});

/** UIDs or GUIDs. An ID can't contain a comma, so an entry with commas contains several IDs. */
export const ids = (...examples: string[]) =>
	list(examples, (entry) =>
		entry
			.split(',')
			.filter((id) => id.trim() !== '')
			.map(readId),
	);

function choose(allowed: string[], given: unknown): string {
	const key = String(given).trim().toLowerCase();
	const found = allowed.find((each) => each.toLowerCase() === key);
	if (found === undefined) throw new Unreadable();
	return found;
}

const shout = (value: string) => ` ${value.toUpperCase()}`;

export const choice = (...allowed: string[]) =>
	createKind(
		(given) => choose(allowed, given),
		fc.constantFrom(...allowed, ...allowed, ...allowed, ...allowed.map(shout)),
		'other',
	);

export const choices = (...allowed: string[]) => list(allowed, (entry) => choose(allowed, entry));

const SWITCH = ['true', 'yes', '1', 'false', 'no', '0'];

export const toggle = createKind(
	(given) => SWITCH.indexOf(choose(SWITCH, given)) < 3,
	fc.oneof(
		{ weight: 8, arbitrary: fc.constant(true) },
		fc.constantFrom('TRUE', 'yes', 1, false, 'no', '0'),
	),
	'maybe',
);

/** @param likely most drawn numbers are not larger, because the lists are short */
export const whole = (max: number, likely: number, min = 1) =>
	createKind(
		(given) => {
			const number = /^\s*\d+\s*$/.test(String(given)) ? Number(given) : 0;
			ensure(number >= 1 && number <= max);
			return number;
		},
		fc
			.tuple(fc.integer({ min, max: likely }), fc.boolean())
			.map(([number, isText]) => (isText ? String(number) : number)),
		...[0, 2.5, 99, 1001],
	);

/** Offset of n8n's default time zone, America/New_York, in summer. */
const OFFSET = '-04:00';

/** @param timeOfDay meaning of a date without a time */
export const date = (examples: unknown[], timeOfDay = '00:00:00') =>
	createKind(
		(given) => {
			const value = String(given);
			if (/^\d{9,11}$/.test(value)) return Number(value);
			const full = /^[\d-]{10}$/.test(value) ? `${value}T${timeOfDay}` : value;
			const seconds = Date.parse(full.endsWith('Z') ? full : full + OFFSET) / 1000;
			ensure(!Number.isNaN(seconds));
			return seconds;
		},
		fc.constantFrom(...examples),
		'yesterday',
	);
