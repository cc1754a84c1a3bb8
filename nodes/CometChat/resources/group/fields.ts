import type { INodePropertyOptions } from 'n8n-workflow';

import { outputFields } from '../../fields/output';
import { pickedUser } from '../../fields/userAndGroup';
import type { Field } from '../../operation/types';
import { addedMember, confirmation, group, member } from './entity';

export const groupOutput = outputFields(group, 'guid');

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

export const confirmationOutput = outputFields(confirmation, 'success');

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
