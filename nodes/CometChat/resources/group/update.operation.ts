import { options } from '../../fields/retryOptions';
import { groupId, onBehalfOf } from '../../fields/userAndGroup';
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

export const update: Operation = {
	name: 'Update',
	value: 'update',
	action: 'Update group',
	description: 'Change the fields of a group',
	routing: { request: { method: 'PUT', url: '/groups/{groupId}' } },
	response: { one: group },
	change: { done: 'updated the group', inspect: 'the group' },
	fields: [
		groupId,
		{
			displayName: 'Update Fields',
			name: 'updateFields',
			type: 'collection',
			placeholder: 'Add Field',
			required: true,
			default: {},
			description: 'What to change: at least one field',
			options: [
				description,
				icon,
				metadata,
				{ ...name, required: false },
				{
					...owner,
					description: 'UID of the new owner. Has no effect together with On Behalf Of.',
				},
				password,
				tags,
				type,
				{
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
				},
			],
		},
		onBehalfOf,
		...groupOutput,
		options,
	],
};
