import type { INodePropertyOptions } from 'n8n-workflow';

import {
	createAdditionalFieldsCollection,
	createMetadataField,
	createNameField,
	createIfExistsField,
	adaptTagsFieldForCreate,
	createNewIdField,
	createReplacementTagsField,
	createBodyTextField,
	createBodyTagsField,
	createUserListField,
	createUnsetField,
	createUpdateFieldsCollection,
} from '../../fields/commonFields';
import { createUserPicker } from '../../fields/userAndGroup';
import { createLowerCaseOptions } from '../../fields/options';
import type { Field } from '../../types';
import { createNonEmptyObjectCheck } from '../../fields/fieldChecks';
import { MAX_USERS_PER_BATCH } from '../batches';
import { checkMaxMembersOfNewGroup } from './groupChecks';

export const SCOPE_OPTIONS: INodePropertyOptions[] = [
	{ name: 'Admin', value: 'admin', description: 'May manage the group and its members' },
	{ name: 'Moderator', value: 'moderator', description: 'May manage messages and participants' },
	{ name: 'Participant', value: 'participant', description: 'May read and send messages' },
];

const baseScopeField: Field = {
	displayName: 'Scope',
	name: 'scope',
	type: 'options',
	options: SCOPE_OPTIONS,
	default: 'participant',
	description: 'What the user may do in the group',
};

export const newScopeField: Field = {
	...baseScopeField,
	displayName: 'New Scope',
	required: true,
	description: 'New scope of the member',
	routing: { send: { type: 'body', property: 'scope' } },
};

/** Scope of the users to add. The scope determines which list in the request body contains the users. */
export const addAsField: Field = {
	...baseScopeField,
	displayName: 'Add As',
	description: 'Scope of the added users',
	options: SCOPE_OPTIONS.map((option) => ({
		...option,
		routing: {
			send: { type: 'body', property: `${option.value}s`, value: '={{ $parameter.uids }}' },
		},
	})),
};

export const ifAlreadyMemberField: Field = {
	displayName: 'Already a Member',
	name: 'alreadyMember',
	type: 'options',
	options: [
		{
			name: 'Count as Success',
			value: 'success',
			description:
				'Users who have this scope already, and the owner, get an item with alreadyMember: true',
		},
		{
			name: 'Count as Failure',
			value: 'failure',
			description: 'Users who have this scope already, and the owner, count as not added',
		},
	],
	default: 'success',
	description:
		'How to treat members who have this scope already. Other members get the new scope, except the owner, who keeps theirs.',
};

export const ifNotMemberField: Field = {
	displayName: 'Not a Member',
	name: 'notMember',
	type: 'options',
	options: [
		{
			name: 'Count as Success',
			value: 'succeed',
			description: 'Users who are not members get an item with deleted: false and notMember: true',
		},
		{
			name: 'Fail',
			value: 'fail',
			description: 'The item of a user who is not a member fails',
		},
	],
	default: 'fail',
	description: 'How to treat users who are not members, e.g. after an earlier run',
};

/** Creates a field for a new group's members with one scope. */
const createMembersField = (displayName: string, name: string): Field => ({
	...createUserListField(
		displayName,
		name,
		`Up to ${MAX_USERS_PER_BATCH} users in all member lists together`,
	),
	routing: { send: { type: 'body', property: `members.${name}` } },
});

const SETTABLE_TYPES: INodePropertyOptions[] = [
	{ name: 'Password', value: 'password', description: 'Users join with a password' },
	{ name: 'Private', value: 'private', description: 'Users can join only by being added' },
	{ name: 'Public', value: 'public', description: 'Any user can join' },
];

/** Group types that filters offer. Create and Update offer the same types, except Protected. */
export const GROUP_TYPE_FILTER_OPTIONS = createLowerCaseOptions(
	'Password',
	'Private',
	'Protected',
	'Public',
);

export const newGuidField = createNewIdField('Group ID (GUID)', 'guid', 'group', 'support-team');

export const ifExistsField = createIfExistsField(
	'group',
	'Change name, description, icon. Merge metadata, replace tags. Keep type, password, owner, members.',
);

export const nameField = createNameField('group', 'Support Team');

export const typeField: Field = {
	displayName: 'Type',
	name: 'type',
	type: 'options',
	options: SETTABLE_TYPES,
	required: true,
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
	placeholder: 'e.g. open-sesame',
	description: 'Password that users enter to join the group, up to 100 characters',
	routing: { send: { type: 'body', property: 'password' } },
};

const description = createBodyTextField(
	'Description',
	'description',
	'Questions from customers',
	'Description of the group, up to 255 characters',
);

const icon = createBodyTextField(
	'Icon',
	'icon',
	'https://example.com/icon.png',
	"URL of the group's picture",
);

const metadata = createMetadataField(
	'Your own data about the group, as a JSON object of up to 5 KB',
);

const owner: Field = {
	excludes: ['onBehalfOf'],
	...createUserPicker('Owner', 'owner', 'User who owns the group'),
	routing: { send: { type: 'body', property: 'owner' } },
};

const tags = createBodyTagsField('group', 'support');

export const additionalFieldsFieldForCreate = createAdditionalFieldsCollection(
	[
		createMembersField('Admin Names or IDs', 'admins'),
		description,
		icon,
		metadata,
		createMembersField('Moderator Names or IDs', 'moderators'),
		owner,
		createMembersField('Participant Names or IDs', 'participants'),
		adaptTagsFieldForCreate(tags),
	],
	{ check: checkMaxMembersOfNewGroup },
);

export const updateFieldsField = createUpdateFieldsCollection([
	{ ...description, whenEmpty: 'unset' },
	{ ...icon, whenEmpty: 'unset' },
	{
		...metadata,
		description: "JSON object to merge into the group's metadata. Other keys stay unchanged.",
		whenEmpty: 'unset',
		check: createNonEmptyObjectCheck(", or use 'Unset'"),
	},
	{ ...nameField, required: false },
	{ ...owner, description: 'New owner' },
	passwordField,
	createReplacementTagsField(tags, 'group'),
	{
		...typeField,
		required: false,
		options: SETTABLE_TYPES.map((type) => ({
			...type,
			[type.value === 'password' ? 'needs' : 'excludes']: ['password'],
		})),
	},
	createUnsetField({ Description: ['description'], Icon: ['icon'], Metadata: ['metadata'] }),
]);
