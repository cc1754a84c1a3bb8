import { InputError } from '../errors/inputError';
import type { Check, Values } from './types';
import { isObject } from '../transport/types';

/** Characters of a UID or GUID; the service lower-cases them (https://www.cometchat.com/docs/fundamentals/key-concepts). */
const ID = /^[a-zA-Z0-9_-]{1,100}$/;

/**
 * What the editor accepts in a field for a UID or GUID: the same with white space around it, which is
 * removed, and nothing. Fields that must not be empty are required.
 */
export const TYPED_ID_PATTERN = '^\\s*[a-zA-Z0-9_-]{0,100}\\s*$';

export const ID_RULE = 'can have only letters, digits, "-" and "_", at most 100';

/** @returns the UID or GUID without surrounding white space */
export const checkId: Check = (value, label) => {
	const id = String(value).trim();
	if (!ID.test(id)) throw new InputError(label, ID_RULE);
	return id;
};

/** @returns the UIDs or GUIDs in lower case, as the service has them, each once */
export const checkIds: Check = (value, label) => {
	const ids = [value].flat().flatMap((entry) => String(entry).split(','));
	const checked = ids
		.filter((id) => id.trim() !== '')
		.map((id) => String(checkId(id, label)).toLowerCase());
	return [...new Set(checked)];
};

export const trimmed: Check = (value) => String(value).trim();

/** IDs of messages are numbers, of which only the digits count: they can be larger than is exact. */
export const checkMessageId: Check = (value, label) => {
	const id = String(value).trim();
	if (!/^\d{1,30}$/.test(id)) {
		throw new InputError(label, 'must be a number', `Enter the ID of a message, e.g. 501.`);
	}
	return id;
};

/** The service looks only at `true`. */
export const onlyTrue: Check = (value) => (value === true ? true : undefined);

export const notEmptyObject: Check = (value, label) => {
	if (Object.keys(Object(value)).length === 0) {
		throw new InputError(label, 'has no entry', 'Enter at least one, e.g. {"key": "value"}.');
	}
	return value;
};

/** Members that a group can be created with (https://www.cometchat.com/docs/rest-api/group-members). */
const MAX_FIRST_MEMBERS = 25;

export const checkFirstMembers: Check = (value, label) => {
	const { admins = [], moderators = [], participants = [] } = isObject(value) ? value : {};
	const count = [admins, moderators, participants].flat().length;
	if (count > MAX_FIRST_MEMBERS) {
		throw new InputError(
			label,
			`has ${count} members, but a group can be created with ${MAX_FIRST_MEMBERS} at most`,
			'Add the others afterwards with Group → Add Members, which takes any number.',
		);
	}
	return value;
};

/** A group of the type Password cannot be had without one. */
export const passwordForType: Check = (value) => {
	const { type, password } = isObject(value) ? value : {};
	if (type === 'password' && password === undefined) {
		throw new InputError(
			'Password',
			'is empty',
			"Add 'Password' to the fields: a group of the type Password needs one.",
		);
	}
	return value;
};

/** A span of time that ends before it starts has nothing in it. */
export const fromBeforeTo: Check = (value) => {
	const { fromTimestamp, toTimestamp } = isObject(value) ? value : {};
	if (Number(fromTimestamp) > Number(toTimestamp)) {
		throw new InputError(
			'Sent After',
			"is later than 'Sent Before'",
			"Enter a 'Sent After' that is before 'Sent Before'.",
		);
	}
	return value;
};

/** Filters about the user in whose name a list is read: the service ignores them without one. */
const ABOUT_USER = {
	hasJoined: 'Has Joined',
	myMentionsOnly: 'My Mentions Only',
	unread: 'Unread',
};

export function userForFilters({ filters, onBehalfOf }: Values): void {
	if (!isObject(filters) || onBehalfOf !== undefined) return;
	for (const [name, label] of Object.entries(ABOUT_USER)) {
		if (filters[name] !== true) continue;
		throw new InputError(
			'On Behalf Of',
			`is empty, but '${label}' needs it`,
			`Enter the UID of the user that '${label}' is about, or remove '${label}'.`,
		);
	}
}
