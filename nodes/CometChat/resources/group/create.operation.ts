import { optionsOf } from '../../fields/options';
import { onBehalfOf } from '../../fields/userAndGroup';
import type { Operation } from '../../description/types';
import { createdGroup } from './entity';
import { additionalFields, guid, ifExists, name, password, type } from './fields';

export const create: Operation = {
	name: 'Create',
	value: 'create',
	action: 'Create group',
	description: 'Create a group, with or without members',
	routing: { request: { method: 'POST', url: '/groups' } },
	kind: 'core',
	response: {
		one: createdGroup,
		existing: {
			code: 'ERR_GUID_ALREADY_EXISTS',
			path: '/groups/{guid}',
			onlyNew: ['guid', 'members'],
		},
	},
	change: { done: 'created the group', inspect: 'the group' },
	inOrder: ['guid'],
	fields: [
		guid,
		name,
		type,
		{ ...password, required: true, displayOptions: { show: { type: ['password'] } } },
		additionalFields,
		onBehalfOf,
		optionsOf('What to do if the group exists', [ifExists]),
	],
};
