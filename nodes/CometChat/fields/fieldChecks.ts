import { formatValueForError } from '../helpers/formatText';
import { InputError } from '../errors/describedErrors';
import type { ValidatingConverter } from '../types';

/**
 * Pattern for a valid UID or GUID. Allows upper case, although CometChat stores IDs in lower case.
 *
 * @see https://www.cometchat.com/docs/fundamentals/key-concepts
 */
const ID_PATTERN = /^[a-zA-Z0-9_-]{1,100}$/;

/** Pattern for a UID or GUID entered in the editor. Allows surrounding white space and an empty string. */
export const ENTERED_ID_REGEX_SOURCE = '^\\s*(?:[a-zA-Z0-9_-]{1,100}\\s*)?$';

export const ID_RULE_TEXT = 'can contain only letters, digits, "-" and "_", at most 100 characters';

/** Texts that result from converting a missing value or an object to a string. */
const BROKEN_TEXTS = ['undefined', 'null', 'NaN', '[object Object]'];

/** Rejects an ID such as "undefined", which an expression creates from a missing value or an object. */
export const checkNotBrokenId: ValidatingConverter = (value, label) => {
	const id = String(value);
	if (!BROKEN_TEXTS.includes(id)) return id;
	throw new InputError(label, `is "${id}", which is not an ID`, 'Check the expression.');
};

/** Matches a character that suggests a list of IDs, e.g. a comma or a bracket. */
const ID_SEPARATOR_PATTERN = /[,\n[\]]/;

/** Requires a single message ID. Rejects a list of IDs, and an ID such as "undefined". */
export const checkNotMessageIdList: ValidatingConverter = (value, label) => {
	const id = String(checkNotBrokenId(value, label));
	if (!ID_SEPARATOR_PATTERN.test(id)) return id;
	throw new InputError(
		label,
		`must be one ID, but it is ${formatValueForError(id)}`,
		'Give one ID, e.g. 501.',
	);
};

const EMAIL_PATTERN = /^[^\s@<>,]+@[^\s@<>,]+$/;

/** True for a text that looks like an email address. */
const isEmail = (text: string): boolean => EMAIL_PATTERN.test(text);

const NOT_BY_EMAIL = 'CometChat finds users by UID, not by email.';

/**
 * Advice on turning an email address into an ID. Points to the docs, because simply replacing the invalid characters
 * could give several people the same ID.
 */
const EMAIL_TO_ID =
	" The page behind 'Docs' has an expression that gives each address a different UID.";

/** Returns advice on choosing the ID of a new user or group. */
const adviseNewId = (text: string): string =>
	ID_SEPARATOR_PATTERN.test(text)
		? 'Give one ID, e.g. mira.'
		: `Give another ID, e.g. mira, and a different one for each item.${isEmail(text) ? EMAIL_TO_ID : ''}`;

/**
 * @param advise returns advice for a value that isn't an ID
 * @returns the UID or GUID
 * @throws InputError if the value isn't a valid ID
 */
function requireId(value: unknown, label: string, advise: (text: string) => string): string {
	const id = String(checkNotBrokenId(value, label));
	if (ID_PATTERN.test(id)) return id;
	throw new InputError(label, `${ID_RULE_TEXT}, but it is ${formatValueForError(id)}`, advise(id));
}

/** Requires an ID that is valid for a new user or group. Doesn't check whether the ID is taken. */
export const checkNewId: ValidatingConverter = (value, label) =>
	requireId(value, label, adviseNewId);

/** Returns the UID of a mention such as <@uid:mira>. Returns any other text unchanged. */
const unwrapMention = (text: string) => text.replace(/^<@uid:(.+)>$/, '$1');

/**
 * Matches a display name: text with a letter, and with a character that IDs can't contain, e.g. a space. A period or
 * an apostrophe isn't enough, because `mira.lee` may be meant as an ID.
 */
const DISPLAY_NAME_PATTERN = /^(?=.*\p{L})(?=.*[^\w.'-])[\p{L}\p{M}\p{N} .'’()&!?-]+$/u;

/**
 * Returns advice on finding the ID of an existing user or group.
 *
 * @param idKind "UID" or "GUID"
 * @param listOperation operation that lists the IDs, e.g. "User → List"
 */
function adviseExistingId(text: string, idKind: string, listOperation: string): string {
	if (ID_SEPARATOR_PATTERN.test(text)) return 'Give one ID, e.g. mira.';
	return isEmail(text)
		? `${NOT_BY_EMAIL}${EMAIL_TO_ID}`
		: `Get the ${idKind} with ${listOperation}.`;
}

/**
 * Creates the check for the ID of an existing user or group. Checks only the format, not whether the ID exists.
 *
 * @param idKind "UID" or "GUID"
 * @param listOperation operation that lists the IDs, e.g. "User → List"
 */
export const createUserOrGroupIdCheck =
	(idKind: string, listOperation: string): ValidatingConverter =>
	(value, label) => {
		const text = idKind === 'UID' ? unwrapMention(String(value)) : String(value);
		if (!DISPLAY_NAME_PATTERN.test(text))
			return requireId(text, label, (each) => adviseExistingId(each, idKind, listOperation));
		throw new InputError(
			label,
			`must be a ${idKind}, but ${formatValueForError(text)} is a name`,
			`Get the ${idKind} with ${listOperation}.`,
		);
	};

/** Requires text that looks like an email address. */
export const requireEmail: ValidatingConverter = (value, label) => {
	const address = String(value);
	if (isEmail(address)) return address;
	throw new InputError(
		label,
		`must be an email address, but it is ${formatValueForError(address)}`,
		'Give one address, e.g. mira@example.com.',
	);
};

/** Splits a text or a list's entries at commas. Used for IDs, field names and hosts, which contain no commas. */
export const splitAtCommas = (value: unknown): string[] =>
	String(value)
		.split(',')
		.map((text) => text.trim())
		.filter((text) => text !== '');

const SEVERAL_ADVICE = 'Give IDs separated by commas, or as a list, e.g. ["mira", "leo"].';

const adviseSeveralIds = (text: string): string =>
	isEmail(text) ? `${NOT_BY_EMAIL} Give UIDs, e.g. ["mira", "leo"].` : SEVERAL_ADVICE;

/** Converts a list, or text with commas, to valid UIDs or GUIDs. Removes duplicates, ignoring case. */
export const splitAndCheckIds: ValidatingConverter = (value, label) => {
	const ids = splitAtCommas(value).map((id) =>
		requireId(unwrapMention(id), label, adviseSeveralIds),
	);
	return [...new Map(ids.map((id) => [id.toLowerCase(), id])).values()];
};

/** Omits `false` from the request, because CometChat would ignore this value. */
export const omitFalse: ValidatingConverter = (value) => (value === true ? true : undefined);

/**
 * Creates a check that an object has at least one key.
 *
 * @param alternative text appended to the advice to enter a key, e.g. ", or use 'Unset'"
 */
export const createNonEmptyObjectCheck =
	(alternative = ''): ValidatingConverter =>
	(value, label) => {
		if (Object.keys(value ?? {}).length > 0) return value;
		throw new InputError(
			label,
			'is empty',
			`Enter at least one key, e.g. {"key": "value"}${alternative}.`,
		);
	};
