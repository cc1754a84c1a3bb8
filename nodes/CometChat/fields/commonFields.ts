import { createLowerCaseOptions } from './options';
import { formatList } from '../helpers/formatText';
import { checkNewId, splitAndCheckIds } from './fieldChecks';
import type { Field } from '../types';

/** Creates a text field with an empty default. */
export const createTextField = (
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
});

/** Creates the field for a new entity's ID. */
export const createNewIdField = (
	displayName: string,
	name: string,
	thing: string,
	example: string,
	hint?: string,
): Field => ({
	...createTextField(
		displayName,
		name,
		example,
		`ID of the new ${thing}: up to 100 letters, digits, "-" and "_"`,
	),
	required: true,
	hint,
	routing: { send: { type: 'body', property: name } },
	check: checkNewId,
});

/** Advice shown if Create fails because the ID is taken. */
export const IF_EXISTS_ADVICE = "Or set 'If It Exists' to Return It or Update It";

/**
 * Creates the 'If It Exists' field, which determines what Create does if the ID is taken.
 *
 * @param updateDescription description of the changes that 'Update It' makes, e.g. "Change its name"
 */
export const createIfExistsField = (thing: string, updateDescription: string): Field => ({
	displayName: 'If It Exists',
	name: 'ifExists',
	type: 'options',
	options: [
		{ name: 'Fail', value: 'fail', description: 'End with an error' },
		{
			name: 'Return It',
			value: 'return',
			description: `Return the ${thing} as it is, and change nothing`,
		},
		{ name: 'Update It', value: 'update', description: updateDescription },
	],
	default: 'fail',
	description: `What to do if a ${thing} with this ID already exists. The column "existed" shows whether it did.`,
});

/**
 * Creates a field for several values. Users choose from a list in the editor, or enter an expression.
 *
 * @param method name of the node's `loadOptions` method that loads the list
 */
export const createLoadedMultiOptionsField = (
	displayName: string,
	name: string,
	method: string,
	hint?: string,
): Field => ({
	displayName,
	name,
	type: 'multiOptions',
	typeOptions: { loadOptionsMethod: method },
	default: [],
	description:
		'Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
	hint,
	// Values outside the list can be valid, because the list contains at most 1,000 users or groups
	allowArbitraryValues: true,
});

/**
 * Creates a field for several users. Users choose from a list in the editor, or enter an expression that
 * returns UIDs.
 */
export const createUserListField = (
	displayName: string,
	name: string,
	hint = 'An expression may return UIDs separated by commas, or a list',
): Field => ({
	...createLoadedMultiOptionsField(displayName, name, 'getUsers', hint),
	check: splitAndCheckIds,
});

/**
 * Creates a field for several groups. Users choose from a list in the editor, or enter an expression that
 * returns GUIDs.
 */
export const createGroupsField = (displayName: string, name: string, hint: string): Field => ({
	...createLoadedMultiOptionsField(displayName, name, 'getGroups', hint),
	check: splitAndCheckIds,
});

/** Field for the users that an operation changes. The operation returns one item per user. */
export const requiredUserListField: Field = {
	...createUserListField('User Names or IDs', 'uids'),
	required: true,
};

export const createNameField = (thing: string, example: string): Field => ({
	...createTextField('Name', 'name', example, `Display name of the ${thing}, up to 100 characters`),
	required: true,
	routing: { send: { type: 'body', property: 'name' } },
});

/** Creates a text field that is sent in the body under the field's name, unless the field is empty. */
export const createBodyTextField = (...text: Parameters<typeof createTextField>): Field => ({
	...createTextField(...text),
	routing: { send: { type: 'body', property: text[1] } },
});

/** @param property path in the request body, e.g. "data.metadata" */
export const createMetadataField = (description: string, property = 'metadata'): Field => ({
	displayName: 'Metadata',
	name: 'metadata',
	type: 'json',
	default: '{}',
	description,
	routing: { send: { type: 'body', property } },
});

/** Creates a field for a list of strings. */
export const createTextsField = (...text: Parameters<typeof createTextField>): Field => ({
	...createTextField(...text),
	typeOptions: {
		multipleValues: true,
		multipleValueButtonText: `Add ${text[0].replace(/s$/, '')}`,
	},
	default: [],
});

export const createBodyTagsField = (thing: string, example: string): Field => ({
	...createTextsField('Tags', 'tags', example, `Up to 25 tags for the ${thing}`),
	routing: { send: { type: 'body', property: 'tags' } },
});

/** Creates the 'Tags' field for updating an entity. The entered tags replace all existing tags. */
export const createReplacementTagsField = (tags: Field, thing: string): Field => ({
	...tags,
	description: `Up to 25 tags, which replace all tags of the ${thing}`,
	whenEmpty: 'send',
});

/** Creates the 'Tags' field for creating an entity. If the entity exists, 'Update It' also applies the tags. */
export const adaptTagsFieldForCreate = (tags: Field): Field => ({
	...tags,
	description: `${tags.description}. With Update It, they replace all existing tags.`,
});

/** Creates the "Additional Fields" collection. */
export const createAdditionalFieldsCollection = (
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

/** Formats the labels of the fields that are cleared if they're empty, e.g. "Icon, Metadata, and Tags". */
const formatClearedLabels = (options: Field[]) =>
	formatList(
		options.flatMap(({ displayName, whenEmpty }) => (whenEmpty === undefined ? [] : [displayName])),
	);

/** Creates the "Update Fields" collection. */
export const createUpdateFieldsCollection = (options: Field[]): Field => ({
	displayName: 'Update Fields',
	name: 'updateFields',
	type: 'collection',
	placeholder: 'Add Field',
	required: true,
	default: {},
	description: `Fields to change. Add at least one. Of the fields that you leave empty, only ${formatClearedLabels(options)} are cleared. An AI agent's tool clears none.`,
	options,
});

/**
 * Creates the field that selects which fields to clear. A field can't be changed and cleared at once.
 *
 * @param cleared names of the fields that a choice clears, keyed by the choice's label
 */
export const createUnsetField = (cleared: Record<string, string[]>): Field => ({
	displayName: 'Unset',
	name: 'unset',
	type: 'multiOptions',
	options: createLowerCaseOptions(...Object.keys(cleared)).map((option) => ({
		...option,
		excludes: cleared[option.name],
	})),
	default: [],
	description: 'Fields to clear',
	routing: { send: { type: 'body', property: 'unset' } },
});
