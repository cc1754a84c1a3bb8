import { checkId, checkIds } from './fieldChecks';
import type { Check, Field } from '../description/types';

/** Field for the ID of a new entity. */
export const createNewIdField = (
	displayName: string,
	name: string,
	thing: string,
	example: string,
	hint?: string,
): Field => ({
	displayName,
	name,
	type: 'string',
	required: true,
	default: '',
	placeholder: `e.g. ${example}`,
	description: `ID of the new ${thing}: letters, digits, "-" and "_", up to 100`,
	hint,
	routing: { send: { type: 'body', property: name } },
	check: checkId,
});

/** Advice of Create if the ID is taken. */
export const IF_EXISTS_ADVICE = "Or set 'If It Exists' to Return It or Update It";

/**
 * Option that decides what Create does if the ID is taken.
 *
 * @param update what 'Update It' changes, e.g. "Change its name"
 */
export const createIfExistsField = (thing: string, update: string): Field => ({
	displayName: 'If It Exists',
	name: 'ifExists',
	type: 'options',
	options: [
		{ name: 'Fail', value: 'fail', description: 'End with an error' },
		{ name: 'Return It', value: 'return', description: `Return the ${thing} as it is` },
		{ name: 'Update It', value: 'update', description: update },
	],
	default: 'fail',
	description: `What to do if a ${thing} with this ID exists already. The column "existed" shows whether it did.`,
});

/** Field for several users: picked from a list, or UIDs from an expression. */
export const createUsersField = (
	displayName: string,
	name: string,
	hint = 'An expression may return one UID, UIDs separated by commas, or a list',
): Field => ({
	displayName,
	name,
	type: 'multiOptions',
	typeOptions: { loadOptionsMethod: 'getUsers' },
	default: [],
	description:
		'Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
	hint,
	// The menu offers only the first thousand users
	allowArbitraryValues: true,
	check: checkIds,
});

/** Field for several groups: picked from a list, or GUIDs from an expression. */
export const createGroupsField = (displayName: string, name: string, hint: string): Field => ({
	...createUsersField(displayName, name, hint),
	typeOptions: { loadOptionsMethod: 'getGroups' },
});

/** Users of an operation that returns one item per user. */
export const uidsField: Field = {
	...createUsersField('User Names or IDs', 'uids'),
	required: true,
};

export const createNameField = (thing: string, example: string): Field => ({
	displayName: 'Name',
	name: 'name',
	type: 'string',
	required: true,
	default: '',
	placeholder: `e.g. ${example}`,
	description: `Display name of the ${thing}, up to 100 characters`,
	routing: { send: { type: 'body', property: 'name' } },
});

/** Optional text, not sent if it is empty. */
export const createOptionalTextField = (
	displayName: string,
	name: string,
	example: string,
	description: string,
): Field => ({
	displayName,
	name,
	type: 'string',
	default: '',
	placeholder: `e.g. ${example}`,
	description,
	routing: { send: { type: 'body', property: name } },
	whenEmpty: 'omit',
});

/** Custom data of the user's own app. */
export const createMetadataField = (description: string, property = 'metadata'): Field => ({
	displayName: 'Metadata',
	name: 'metadata',
	type: 'json',
	default: '{}',
	description,
	routing: { send: { type: 'body', property } },
	whenEmpty: 'omit',
});

export const createTagsField = (thing: string, example: string): Field => ({
	displayName: 'Tags',
	name: 'tags',
	type: 'string',
	typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Tag' },
	default: [],
	placeholder: `e.g. ${example}`,
	description: `Words that mark the ${thing}, up to 25`,
	routing: { send: { type: 'body', property: 'tags' } },
	whenEmpty: 'omit',
});

/** The "Additional Fields" collection. */
export const createAdditionalFields = (
	options: Field[],
	{ description = 'More fields to set', ...more }: Partial<Field> = {},
): Field => ({
	displayName: 'Additional Fields',
	name: 'additionalFields',
	type: 'collection',
	placeholder: 'Add Field',
	default: {},
	description,
	options,
	...more,
});

const CLEARED = 'Fields to change, at least one. A field that you leave empty is cleared.';

/** The "Update Fields" collection. A field added to it is sent even if it is empty. */
export const createUpdateFields = (
	options: Field[],
	{ description = CLEARED, check }: { description?: string; check?: Check } = {},
): Field => ({
	displayName: 'Update Fields',
	name: 'updateFields',
	type: 'collection',
	placeholder: 'Add Field',
	required: true,
	default: {},
	description,
	options,
	check,
});

/** Field with the names of other fields to clear. */
export const createUnsetField = (labels: string[]): Field => ({
	displayName: 'Unset',
	name: 'unset',
	type: 'multiOptions',
	options: labels.map((name) => ({ name, value: name.toLowerCase() })),
	default: [],
	description: 'Fields to clear',
	routing: { send: { type: 'body', property: 'unset' } },
});
