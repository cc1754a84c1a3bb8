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

/** The service ignores `hasJoined` where it does not know whose groups are meant. */
export function userForHasJoined({ filters, onBehalfOf }: Values): void {
	if (isObject(filters) && filters.hasJoined === true && onBehalfOf === undefined) {
		throw new InputError(
			'On Behalf Of',
			"is empty, but 'Has Joined' needs it",
			"Enter the UID of the user whose groups you want, or remove 'Has Joined'.",
		);
	}
}
