import { groupId, onBehalfOf } from '../../fields/userAndGroup';
import type { Operation } from '../../description/types';
import { ownerAsApp } from './checks';
import { group } from './entity';
import { updateFields } from './fields';

export const updateOfGroup = { done: 'updated the group', inspect: 'the group' };

export const update: Operation = {
	name: 'Update',
	value: 'update',
	action: 'Update group',
	description: 'Change the fields of a group',
	routing: { request: { method: 'PUT', url: '/groups/{groupId}' } },
	response: { one: group },
	change: updateOfGroup,
	inOrder: ['groupId'],
	check: ownerAsApp,
	fields: [groupId, updateFields, onBehalfOf],
};
