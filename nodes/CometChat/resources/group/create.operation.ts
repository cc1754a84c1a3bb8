import { BY_CODE } from '../../errors/table';
import { OR_SET_IF_EXISTS } from '../../fields/body';
import { optionsOf } from '../../fields/options';
import { onBehalfOf } from '../../fields/userAndGroup';
import type { Operation } from '../../description/types';
import { ownerAsApp } from './checks';
import { createdGroup, reportSkippedMembers } from './entity';
import { additionalFields, guid, ifExists, name, password, type } from './fields';
import { updateOfGroup } from './update.operation';

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
			onlyNew: ['guid', 'members', 'type', 'password', 'owner'],
			change: updateOfGroup,
			reportSkipped: reportSkippedMembers,
		},
	},
	change: { done: 'created the group', inspect: 'the group' },
	inOrder: ['guid'],
	errors: {
		ERR_GUID_ALREADY_EXISTS: { ...BY_CODE.ERR_GUID_ALREADY_EXISTS, advice: OR_SET_IF_EXISTS },
	},
	check: ownerAsApp,
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
