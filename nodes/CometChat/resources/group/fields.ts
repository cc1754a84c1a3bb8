import type { INodePropertyOptions } from 'n8n-workflow';

import { outputFields } from '../../fields/output';
import { pickedUser } from '../../fields/userAndGroup';
import { checkId, checkIds } from '../../operation/checks';
import type { Field } from '../../operation/types';
import { checkFirstMembers } from './checks';
import {
	addedMember,
	ban,
	changedMember,
	confirmation,
	createdGroup,
	group,
	member,
	removal,
	unban,
} from './entity';

export const groupOutput = outputFields(group, 'guid');

export const createdGroupOutput = outputFields(createdGroup, 'guid');

export const groupListOutput = outputFields(
	group,
	'guid',
	'One item per page: the whole response with its cursor, to page through long lists or to go on from the cursor later',
);

export const memberListOutput = outputFields(
	member,
	'uid',
	'One item per page: the whole response, to page through long lists',
);

export const addedMemberOutput = outputFields(addedMember, 'uid');

export const changedMemberOutput = outputFields(changedMember, 'uid');

export const confirmationOutput = outputFields(confirmation, 'success');

export const removalOutput = outputFields(removal, 'success');

export const banOutput = outputFields(ban, 'success');

export const unbanOutput = outputFields(unban, 'success');

export const SCOPES: INodePropertyOptions[] = [
	{ name: 'Admin', value: 'admin', description: 'May manage the group and its members' },
	{ name: 'Moderator', value: 'moderator', description: 'May manage messages and participants' },
	{ name: 'Participant', value: 'participant', description: 'May read and send messages' },
];

const scopeField: Field = {
	displayName: 'Scope',
	name: 'scope',
	type: 'options',
	options: SCOPES,
	default: 'participant',
	description: 'What the user may do in the group',
};

export const scope: Field = {
	...scopeField,
	routing: { send: { type: 'body', property: 'scope' } },
};

/** The scope of users who are added: the name of the list that they are sent in. */
export const scopeOfAdded: Field = {
	...scopeField,
	options: SCOPES.map((option) => ({
		...option,
		routing: {
			send: { type: 'body', property: `${option.value}s`, value: '={{ $parameter.uids }}' },
		},
	})),
};

export const uids: Field = {
	displayName: 'UIDs',
	name: 'uids',
	type: 'string',
	typeOptions: { multipleValues: true, multipleValueButtonText: 'Add UID' },
	default: [],
	placeholder: 'e.g. cometchat-uid-1',
	description:
		'UIDs of the users to add, any number. With one person per item, one expression that gives the UID is enough. An expression can also return a list.',
	check: checkIds,
};

export const alreadyMember: Field = {
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
	...uids,
	displayName,
	name,
	description: `UIDs of the users to add as ${name}: with all other members, up to 25`,
	routing: { send: { type: 'body', property: `members.${name}` } },
});

const TYPES: INodePropertyOptions[] = [
	{ name: 'Password', value: 'password', description: 'Users join with a password' },
	{ name: 'Private', value: 'private', description: 'Users join only when they are added' },
	{ name: 'Public', value: 'public', description: 'Any user can join' },
];

/** Types that a filter can name: one more than a group can be created with. */
export const FILTER_TYPES: INodePropertyOptions[] = [
	{ name: 'Password', value: 'password' },
	{ name: 'Private', value: 'private' },
	{ name: 'Protected', value: 'protected' },
	{ name: 'Public', value: 'public' },
];

export const guid: Field = {
	displayName: 'GUID',
	name: 'guid',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. support-team',
	description: 'ID of the new group: letters, digits, "-" and "_", up to 100',
	routing: { send: { type: 'body', property: 'guid' } },
	check: checkId,
};

export const name: Field = {
	displayName: 'Name',
	name: 'name',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. Support Team',
	description: 'Display name of the group, up to 100 characters',
	routing: { send: { type: 'body', property: 'name' } },
};

export const type: Field = {
	displayName: 'Type',
	name: 'type',
	type: 'options',
	options: TYPES,
	default: 'public',
	description: 'Who can join the group',
	routing: { send: { type: 'body', property: 'type' } },
};

export const password: Field = {
	displayName: 'Password',
	name: 'password',
	type: 'string',
	typeOptions: { password: true },
	default: '',
	placeholder: 'e.g. a word that members know',
	description: 'Password that users enter to join the group, up to 100 characters',
	routing: { send: { type: 'body', property: 'password' } },
};

export const description: Field = {
	displayName: 'Description',
	name: 'description',
	type: 'string',
	default: '',
	placeholder: 'e.g. Questions from customers',
	description: 'Text about the group, up to 255 characters',
	routing: { send: { type: 'body', property: 'description' } },
	whenEmpty: 'omit',
};

export const icon: Field = {
	displayName: 'Icon',
	name: 'icon',
	type: 'string',
	default: '',
	placeholder: 'e.g. https://example.com/icon.png',
	description: 'URL of the picture of the group',
	routing: { send: { type: 'body', property: 'icon' } },
	whenEmpty: 'omit',
};

export const metadata: Field = {
	displayName: 'Metadata',
	name: 'metadata',
	type: 'json',
	default: '{}',
	description: 'Your own data about the group, as a JSON object of up to 5 KB',
	routing: { send: { type: 'body', property: 'metadata' } },
	whenEmpty: 'omit',
};

export const owner: Field = {
	...pickedUser('Owner', 'owner', 'User who owns the group'),
	routing: { send: { type: 'body', property: 'owner' } },
};

export const tags: Field = {
	displayName: 'Tags',
	name: 'tags',
	type: 'string',
	typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Tag' },
	default: [],
	placeholder: 'e.g. support',
	description: 'Words that mark the group, up to 25',
	routing: { send: { type: 'body', property: 'tags' } },
	whenEmpty: 'omit',
};

/** What else a group can be created with. */
export const additionalFields: Field = {
	displayName: 'Additional Fields',
	name: 'additionalFields',
	type: 'collection',
	placeholder: 'Add Field',
	default: {},
	description: 'What else to set',
	options: [
		firstMembers('Admins', 'admins'),
		description,
		icon,
		metadata,
		firstMembers('Moderators', 'moderators'),
		owner,
		firstMembers('Participants', 'participants'),
		tags,
	],
	check: checkFirstMembers,
};
