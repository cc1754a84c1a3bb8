import { options } from '../../fields/retryOptions';
import { groupId, onBehalfOf } from '../../fields/userAndGroup';
import type { Field, Operation } from '../../operation/types';
import { passwordForType } from './checks';
import { group } from './entity';
import {
	description,
	updatedGroupOutput,
	icon,
	metadata,
	name,
	owner,
	password,
	tags,
	type,
} from './fields';

const unset: Field = {
	displayName: 'Unset',
	name: 'unset',
	type: 'multiOptions',
	options: [
		{ name: 'Description', value: 'description' },
		{ name: 'Icon', value: 'icon' },
		{ name: 'Metadata', value: 'metadata' },
	],
	default: [],
	description: 'Fields to clear',
	routing: { send: { type: 'body', property: 'unset' } },
};

/** What is added to the fields to change is sent, also when it was emptied. */
const FIELDS: Field[] = [
	{ ...description, whenEmpty: 'unset' },
	{ ...icon, whenEmpty: 'unset' },
	{ ...metadata, whenEmpty: 'unset' },
	{ ...name, required: false, whenEmpty: 'refuse' },
	{
		...owner,
		description: 'New owner. Has no effect together with On Behalf Of.',
		whenEmpty: 'refuse',
	},
	{ ...password, whenEmpty: 'refuse' },
	{ ...tags, whenEmpty: 'send' },
	{ ...type, whenEmpty: 'refuse' },
	unset,
];

const updateFields: Field = {
	displayName: 'Update Fields',
	name: 'updateFields',
	type: 'collection',
	placeholder: 'Add Field',
	required: true,
	default: {},
	description: 'What to change: at least one field. One that you leave empty is cleared.',
	options: FIELDS,
	check: passwordForType,
};

export const update: Operation = {
	name: 'Update',
	value: 'update',
	action: 'Update group',
	description: 'Change the fields of a group',
	routing: { request: { method: 'PUT', url: '/groups/{groupId}' } },
	response: { one: group },
	change: { done: 'updated the group', inspect: 'the group' },
	fields: [groupId, updateFields, onBehalfOf, ...updatedGroupOutput, options],
};
