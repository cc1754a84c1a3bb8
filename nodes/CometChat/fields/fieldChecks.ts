import { formatValue } from '../errors/formatText';
import { InputError } from '../errors/inputError';
import type { Check } from '../types';

/**
 * Pattern for a valid UID or GUID. CometChat stores IDs in lower case.
 *
 * @see https://www.cometchat.com/docs/fundamentals/key-concepts
 */
const ID = /^[a-zA-Z0-9_-]{1,100}$/;

/** Pattern for a UID or GUID entered in the editor. Allows surrounding white space and an empty string. */
export const TYPED_ID_PATTERN = '^\\s*[a-zA-Z0-9_-]{0,100}\\s*$';

export const ID_RULE = 'can contain only letters, digits, "-" and "_", at most 100 characters';

/** Texts that JavaScript creates from a missing value or an object. */
const BROKEN_TEXTS = ['undefined', 'null', 'NaN', '[object Object]'];

/** Rejects an ID that an expression created from a missing value. */
export const checkIdText: Check = (value, label) => {
	const id = String(value);
	if (!BROKEN_TEXTS.includes(id)) return id;
	throw new InputError(label, `is "${id}", which is not an ID`, 'Check the expression.');
};

/** Matches a text that contains several IDs. */
const SEVERAL = /[,\n[\]]/;

/** @returns the message ID */
export const checkMessageId: Check = (value, label) => {
	const id = String(checkIdText(value, label));
	if (!SEVERAL.test(id)) return id;
	throw new InputError(
		label,
		`must be one ID, but it is ${formatValue(id)}`,
		'Give one ID, e.g. 501.',
	);
};

const EMAIL = /^[^\s@<>,]+@[^\s@<>,]+$/;

/** Returns advice for a text that isn't an ID. */
function adviseId(text: string): string | undefined {
	if (EMAIL.test(text)) {
		return `It looks like an email address. For the ID, use ${text.replace(/[^\w-]/g, '_')}.`;
	}
	return SEVERAL.test(text) ? 'Give one ID, e.g. mira.' : undefined;
}

/**
 * @param advice advice for a value that isn't an ID
 * @returns the UID or GUID
 */
function requireId(value: unknown, label: string, advice?: string): string {
	const id = String(checkIdText(value, label));
	if (ID.test(id)) return id;
	throw new InputError(label, `${ID_RULE}, but it is ${formatValue(id)}`, advice ?? adviseId(id));
}

/** @returns the UID or GUID */
export const checkId: Check = (value, label) => requireId(value, label);

/** Returns the UID of a mention such as <@uid:mira>. Returns any other text unchanged. */
const unwrapMention = (text: string) => text.replace(/^<@uid:(.+)>$/, '$1');

/**
 * Pattern for a display name that can't be an ID. Such names contain letters, and characters that aren't
 * allowed in IDs.
 */
const NAME = /^(?=.*\p{L})(?=.*[^\w.'-])[\p{L}\p{M}\p{N} .'’()&!?-]+$/u;

/**
 * Creates the check for a field that contains a user's or a group's ID.
 *
 * @param id "UID" or "GUID"
 * @param list operation that lists the IDs
 */
export const createPickedIdCheck =
	(id: string, list: string): Check =>
	(value, label) => {
		const text = id === 'UID' ? unwrapMention(String(value)) : String(value);
		if (!NAME.test(text)) return checkId(text, label);
		throw new InputError(
			label,
			`must be a ${id}, but ${formatValue(text)} is a name`,
			`Get the ${id} with ${list}.`,
		);
	};

/** @returns the email address */
export const checkEmail: Check = (value, label) => {
	const address = String(value);
	if (EMAIL.test(address)) return address;
	throw new InputError(
		label,
		`must be an email address, but it is ${formatValue(address)}`,
		'Give one address, e.g. mira@example.com.',
	);
};

/** Splits a list's entries at commas, for IDs and field names, which can't contain commas. */
export const splitAtCommas = (value: unknown): string[] =>
	String(value)
		.split(',')
		.map((text) => text.trim())
		.filter((text) => text !== '');

const SEVERAL_ADVICE = 'Give IDs separated by commas, or as a list, e.g. ["mira", "leo"].';

/** @returns UIDs or GUIDs that differ in more than their case */
export const checkIds: Check = (value, label) => {
	const ids = splitAtCommas(value).map((id) => requireId(unwrapMention(id), label, SEVERAL_ADVICE));
	return [...new Map(ids.map((id) => [id.toLowerCase(), id])).values()];
};

/** Omits `false` from the request, because CometChat would ignore this value. */
export const omitFalse: Check = (value) => (value === true ? true : undefined);

/**
 * Creates the check for a field whose object must have at least one key.
 *
 * @param alternative words that follow the advice to enter a key, e.g. ", or use 'Unset'"
 */
export const createNotEmptyCheck =
	(alternative = ''): Check =>
	(value, label) => {
		if (Object.keys(value ?? {}).length > 0) return value;
		throw new InputError(
			label,
			'is empty',
			`Enter at least one key, e.g. {"key": "value"}${alternative}.`,
		);
	};
