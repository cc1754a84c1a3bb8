import type { INodePropertyOptions } from 'n8n-workflow';

import {
	createAdditionalFields,
	createMetadataField,
	createNameField,
	createIfExistsField,
	createNewIdField,
	createOptionalTextField,
	createTagsField,
	createUsersField,
	createUnsetField,
	createUpdateFields,
} from '../../fields/body';
import { createUserPicker } from '../../fields/userAndGroup';
import type { Field } from '../../description/types';
import { checkFirstMembers, checkPasswordForType } from './groupChecks';

export const SCOPES: INodePropertyOptions[] = [
	{ name: 'Admin', value: 'admin', description: 'May manage the group and its members' },
	{ name: 'Moderator', value: 'moderator', description: 'May manage messages and participants' },
	{ name: 'Participant', value: 'participant', description: 'May read and send messages' },
];

const baseScopeField: Field = {
	displayName: 'Scope',
	name: 'scope',
	type: 'options',
	options: SCOPES,
	default: 'participant',
	description: 'What the user may do in the group',
};

export const scopeField: Field = {
	...baseScopeField,
	displayName: 'New Scope',
	description: 'New scope of the member',
	routing: { send: { type: 'body', property: 'scope' } },
};

/** The scope of users who are added: the name of the list that they are sent in. */
export const addAsField: Field = {
	...baseScopeField,
	displayName: 'Add As',
	description: 'Scope of the added users',
	options: SCOPES.map((option) => ({
		...option,
		routing: {
			send: { type: 'body', property: `${option.value}s`, value: '={{ $parameter.uids }}' },
		},
	})),
};

export const alreadyMemberField: Field = {
	displayName: 'Already a Member',
	name: 'alreadyMember',
	type: 'options',
	options: [
		{
			name: 'Count as Success',
			value: 'success',
			description: 'The item of a user who already is a member has alreadyMember: true',
		},
		{
			name: 'Count as Failure',
			value: 'failure',
			description: 'A user who already is a member could not be added',
		},
	],
	default: 'success',
	description: 'What to make of a user who already is a member',
};

/** A list of the first members of a group that is created. */
const firstMembers = (displayName: string, name: string): Field => ({
	...createUsersField(displayName, name, 'All lists of members together can have 25 users'),
	routing: { send: { type: 'body', property: `members.${name}` } },
});

const TYPES: INodePropertyOptions[] = [
	{ name: 'Password', value: 'password', description: 'Users join with a password' },
	{ name: 'Private', value: 'private', description: 'Users join only when they are added' },
	{ name: 'Public', value: 'public', description: 'Any user can join' },
];

/** Types that a filter can name: one more than a group can be created with. */
export const GROUP_TYPES: INodePropertyOptions[] = [
	{ name: 'Password', value: 'password' },
	{ name: 'Private', value: 'private' },
	{ name: 'Protected', value: 'protected' },
	{ name: 'Public', value: 'public' },
];

export const guidField = createNewIdField('Group ID (GUID)', 'guid', 'group', 'support-team');

export const ifExistsField = createIfExistsField(
	'group',
	'Change its name, description, icon, metadata and tags to the values entered here. Type, password, owner and members stay as they are.',
);

export const nameField = createNameField('group', 'Support Team');

export const typeField: Field = {
	displayName: 'Type',
	name: 'type',
	type: 'options',
	options: TYPES,
	default: 'public',
	description: 'Who can join the group',
	routing: { send: { type: 'body', property: 'type' } },
};

export const passwordField: Field = {
	displayName: 'Password',
	name: 'password',
	type: 'string',
	typeOptions: { password: true },
	default: '',
	placeholder: 'e.g. a word that members know',
	description: 'Password that users enter to join the group, up to 100 characters',
	routing: { send: { type: 'body', property: 'password' } },
};

const description = createOptionalTextField(
	'Description',
	'description',
	'Questions from customers',
	'Text about the group, up to 255 characters',
);

const icon = createOptionalTextField(
	'Icon',
	'icon',
	'https://example.com/icon.png',
	'URL of the picture of the group',
);

const metadata = createMetadataField(
	'Your own data about the group, as a JSON object of up to 5 KB',
);

const owner: Field = {
	...createUserPicker('Owner', 'owner', 'User who owns the group'),
	routing: { send: { type: 'body', property: 'owner' } },
};

const tags = createTagsField('group', 'support');

/** What else a group can be created with. */
export const additionalFieldsField = createAdditionalFields(
	[
		firstMembers('Admin Names or IDs', 'admins'),
		description,
		icon,
		metadata,
		firstMembers('Moderator Names or IDs', 'moderators'),
		owner,
		firstMembers('Participant Names or IDs', 'participants'),
		tags,
	],
	{ check: checkFirstMembers },
);

export const updateFieldsField = createUpdateFields(
	[
		{ ...description, whenEmpty: 'unset' },
		{ ...icon, whenEmpty: 'unset' },
		{
			...metadata,
			description:
				'Data to add to the metadata of the group, as a JSON object. Entries that you leave out stay as they are.',
			whenEmpty: 'unset',
		},
		{ ...nameField, required: false, whenEmpty: 'refuse' },
		{
			...owner,
			description: 'New owner. On Behalf Of must be empty then.',
			whenEmpty: 'refuse',
		},
		{ ...passwordField, whenEmpty: 'refuse' },
		{ ...tags, whenEmpty: 'send' },
		{ ...typeField, whenEmpty: 'refuse' },
		createUnsetField(['Description', 'Icon', 'Metadata']),
	],
	{ check: checkPasswordForType },
);
