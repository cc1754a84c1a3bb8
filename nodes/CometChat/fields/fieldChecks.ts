import { InputError } from '../errors/inputError';
import type { Check, Values } from '../description/types';
import { isObject } from '../transport/json';

/**
 * Pattern for a valid UID or GUID. CometChat stores IDs in lower case.
 *
 * @see https://www.cometchat.com/docs/fundamentals/key-concepts
 */
const ID = /^[a-zA-Z0-9_-]{1,100}$/;

/** Pattern for a UID or GUID entered in the editor. Allows surrounding white space and an empty string. */
export const TYPED_ID_PATTERN = '^\\s*[a-zA-Z0-9_-]{0,100}\\s*$';

export const ID_RULE = 'can contain only letters, digits, "-" and "_", at most 100 characters';

/**
 * Returns advice on turning an email address into an ID.
 *
 * @param saved value as saved in the workflow, possibly an expression
 */
function adviseAgainstEmail(address: string, saved: unknown): string {
	const text = isObject(saved) ? saved.value : saved;
	const [, code = ''] =
		/^=\s*\{\{([^{}]+)\}\}\s*$/.exec(typeof text === 'string' ? text : '') ?? [];
	const expression = code.trim();
	if (expression === '') {
		return `It looks like an email address. For the ID, use ${address.replace(/[^\w-]/g, '_')}.`;
	}
	const operand = /^(?:[\w$.[\]()]|'[^']*'|"[^"]*")+$/.test(expression)
		? expression
		: `(${expression})`;
	return `It looks like an email address. {{ ${operand}.replace(/[^\\w-]/g, '_') }} turns it into an ID.`;
}

/** @returns the UID or GUID without surrounding white space */
export const checkId: Check = (value, label, saved) => {
	const id = String(value).trim();
	if (ID.test(id)) return id;
	throw new InputError(
		label,
		ID_RULE,
		id.includes('@') ? adviseAgainstEmail(id, saved) : undefined,
	);
};

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
	(value, label, saved) => {
		if (!NAME.test(String(value).trim())) return checkId(value, label, saved);
		throw new InputError(
			label,
			`must be a ${id}, but this is a name`,
			`Get the ${id} with ${list}.`,
		);
	};

/** @returns the email address without surrounding white space */
export const checkEmail: Check = (value, label) => {
	const address = String(value).trim();
	if (!/^[^\s@]+@[^\s@]+$/.test(address)) throw new InputError(label, 'is not an email address');
	return address;
};

/** @returns unique UIDs or GUIDs in lower case, as CometChat stores them */
export const checkIds: Check = (value, label) => {
	const ids = [value].flat().flatMap((entry) => String(entry).split(','));
	const checked = ids
		.filter((id) => id.trim() !== '')
		.map((id) => String(checkId(id, label)).toLowerCase());
	return [...new Set(checked)];
};

export const trimText: Check = (value) => String(value).trim();

/** Omits `false` from the request, because CometChat would ignore this value. */
export const omitFalse: Check = (value) => (value === true ? true : undefined);

export const checkNotEmptyObject: Check = (value, label) => {
	if (Object.keys(Object(value)).length === 0) {
		throw new InputError(label, 'is empty', 'Enter at least one key, e.g. {"key": "value"}.');
	}
	return value;
};

/** Labels of the filters that CometChat ignores unless 'On Behalf Of' is set. */
const USER_FILTERS = {
	hasJoined: 'Has Joined',
	myMentionsOnly: 'My Mentions Only',
	unread: 'Unread',
};

export function checkFiltersHaveUser({ filters, onBehalfOf }: Values): void {
	if (!isObject(filters) || onBehalfOf !== undefined) return;
	for (const [name, label] of Object.entries(USER_FILTERS)) {
		if (filters[name] !== true) continue;
		throw new InputError(
			'On Behalf Of',
			`is empty, but '${label}' requires it`,
			`Enter the UID of the user that '${label}' is about, or remove '${label}'.`,
		);
	}
}
