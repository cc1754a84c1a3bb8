import { checkId, checkIds } from './checks';
import type { Check, Field } from '../description/types';

/** The ID that somebody chooses for a new thing. */
export const newId = (
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

/** What Create does where the ID is taken. */
export const ifExistsOf = (thing: string, found: string): Field => ({
	displayName: 'If It Exists',
	name: 'ifExists',
	type: 'options',
	options: [
		{ name: 'Fail', value: 'fail', description: 'End with an error' },
		{ name: 'Return It', value: 'return', description: `Return the ${thing} as it is` },
		{
			name: 'Update It',
			value: 'update',
			description: `Change the ${thing} to what is entered here${found}`,
		},
	],
	default: 'fail',
	description: `What to do when a ${thing} with this ID exists already. The column "existed" says whether one did.`,
});

/**
 * Several users: picked from a list, or their UIDs by an expression, as one text with commas or as a
 * list.
 */
export const usersOf = (
	displayName: string,
	name: string,
	hint = 'An expression gives one UID, several with commas between them, or a list',
): Field => ({
	displayName,
	name,
	type: 'multiOptions',
	typeOptions: { loadOptionsMethod: 'getUsers' },
	default: [],
	description:
		'Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
	hint,
	// The list has the first thousand users, and more than those may be saved
	allowArbitraryValues: true,
	check: checkIds,
});

/** Users that an operation is carried out for, each by itself. */
export const uids: Field = { ...usersOf('User Names or IDs', 'uids'), required: true };

export const nameOf = (thing: string, example: string): Field => ({
	displayName: 'Name',
	name: 'name',
	type: 'string',
	required: true,
	default: '',
	placeholder: `e.g. ${example}`,
	description: `Display name of the ${thing}, up to 100 characters`,
	routing: { send: { type: 'body', property: 'name' } },
});

/** A text that a thing need not have. One that is left empty is not sent. */
export const optionalText = (
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

/** Data of the user's own, as a JSON object. */
export const metadataOf = (description: string, property = 'metadata'): Field => ({
	displayName: 'Metadata',
	name: 'metadata',
	type: 'json',
	default: '{}',
	description,
	routing: { send: { type: 'body', property } },
	whenEmpty: 'omit',
});

export const tagsOf = (thing: string, example: string): Field => ({
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
export const additionalFieldsOf = (
	options: Field[],
	{ description = 'What else to set', ...more }: Partial<Field> = {},
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

const CLEARED = 'What to change: at least one field. One that you leave empty is cleared.';

/** The "Update Fields" collection. What is added to it is sent, also when it was emptied. */
export const updateFieldsOf = (
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

/** The fields to clear, by their labels. */
export const unsetOf = (labels: string[]): Field => ({
	displayName: 'Unset',
	name: 'unset',
	type: 'multiOptions',
	options: labels.map((name) => ({ name, value: name.toLowerCase() })),
	default: [],
	description: 'Fields to clear',
	routing: { send: { type: 'body', property: 'unset' } },
});
