import type { IDataObject } from 'n8n-workflow';

import { InputError } from '../errors/inputError';
import { isEmpty } from './values';

/** Characters of a UID or GUID; the service lower-cases them (https://www.cometchat.com/docs/fundamentals/key-concepts). */
const ID = /^[a-zA-Z0-9_-]{1,100}$/;

/**
 * What the editor accepts in a field for a UID or GUID: the same with white space around it, which is
 * removed, and nothing. Fields that must not be empty are required.
 */
export const TYPED_ID_PATTERN = '^\\s*[a-zA-Z0-9_-]{0,100}\\s*$';

export const ID_RULE = 'can have only letters, digits, "-" and "_", at most 100';

/**
 * Checks a value that already matches the type of its field.
 *
 * @param label of the field
 * @returns what is sent; undefined when nothing is
 * @throws InputError
 */
type Check = (value: unknown, label: string) => unknown;

/** @returns the UID or GUID without surrounding white space */
export const checkId: Check = (value, label) => {
	const id = String(value).trim();
	if (!ID.test(id)) throw new InputError(label, ID_RULE);
	return id;
};

const checkIds: Check = (value, label) =>
	Array.isArray(value) ? value.map((id) => checkId(id, label)) : value;

const trimmed: Check = (value) => String(value).trim();

/** The service looks only at `true`. */
const onlyTrue: Check = (value) => (value === true ? true : undefined);

const notEmptyObject: Check = (value, label) => {
	if (Object.keys(Object(value)).length === 0) {
		throw new InputError(label, 'has no entry', 'Enter at least one, e.g. {"key": "value"}.');
	}
	return value;
};

/** What no n8n type can say about a value, by the name of the parameter. */
export const CHECKS: Readonly<Record<string, Check>> = {
	conversationId: trimmed,
	customData: notEmptyObject,
	groupIds: checkIds,
	guid: checkId,
	hasJoined: onlyTrue,
	ignoreSenders: checkIds,
	messageId: trimmed,
	owner: checkId,
	sender: checkId,
	uids: checkIds,
};

/**
 * Checks a collection as a whole.
 *
 * @param values its entries, checked, by their names
 * @param set its entries as the user set them
 */
type CollectionCheck = (values: IDataObject, set: IDataObject) => void;

/** Fields that cannot be changed to nothing, with their labels. */
const NEVER_EMPTY = { name: 'Name', text: 'Text' };

const changes: CollectionCheck = ({ type, password }, set) => {
	for (const [name, label] of Object.entries(NEVER_EMPTY)) {
		if (name in set && isEmpty(set[name])) {
			throw new InputError(label, 'is empty', `Fill in '${label}', or remove it.`);
		}
	}
	if (type === 'password' && isEmpty(password)) {
		throw new InputError(
			'Password',
			'is empty',
			"Add 'Password' to the fields: a group of the type Password needs one.",
		);
	}
};

/** What no field can say alone, by the name of the collection. */
export const COLLECTION_CHECKS: Readonly<Record<string, CollectionCheck>> = {
	updateFields: changes,
};

/** Checks what several fields say together; both by the names of their parameters. */
type RequestCheck = (query: IDataObject, values: Readonly<Record<string, unknown>>) => void;

const userForHasJoined: RequestCheck = ({ hasJoined }, { onBehalfOf }) => {
	if (hasJoined === true && onBehalfOf === undefined) {
		throw new InputError(
			'On Behalf Of',
			"is empty, but 'Has Joined' needs it",
			"Enter the UID of the user whose groups you want, or remove 'Has Joined'.",
		);
	}
};

export const REQUEST_CHECKS: readonly RequestCheck[] = [userForHasJoined];
