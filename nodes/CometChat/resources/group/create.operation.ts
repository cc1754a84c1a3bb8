import { options } from '../../fields/retryOptions';
import { onBehalfOf } from '../../fields/userAndGroup';
import { checkId } from '../../operation/checks';
import type { Operation } from '../../operation/types';
import { group } from './entity';
import {
	description,
	groupOutput,
	icon,
	metadata,
	name,
	owner,
	password,
	tags,
	type,
} from './fields';

export const create: Operation = {
	name: 'Create',
	value: 'create',
	action: 'Create group',
	description: 'Create a group',
	routing: { request: { method: 'POST', url: '/groups' } },
	kind: 'core',
	response: { one: group },
	change: { done: 'created the group', inspect: 'the group' },
	fields: [
		{
			displayName: 'GUID',
			name: 'guid',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. support-team',
			description: 'ID of the new group: letters, digits, "-" and "_", up to 100',
			routing: { send: { type: 'body', property: 'guid' } },
			check: checkId,
		},
		name,
		type,
		{ ...password, required: true, displayOptions: { show: { type: ['password'] } } },
		{
			displayName: 'Additional Fields',
			name: 'additionalFields',
			type: 'collection',
			placeholder: 'Add Field',
			default: {},
			description: 'What else to set',
			options: [description, icon, metadata, owner, tags],
		},
		onBehalfOf,
		...groupOutput,
		options,
	],
};
