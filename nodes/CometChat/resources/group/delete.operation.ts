import { groupId, onBehalfOf } from '../../fields/userAndGroup';
import type { Operation } from '../../description/types';
import { deletion } from './entity';

export const deleteGroup: Operation = {
	name: 'Delete',
	value: 'delete',
	action: 'Delete group',
	description: 'Delete a group with its memberships. This cannot be undone.',
	routing: { request: { method: 'DELETE', url: '/groups/{groupId}' } },
	response: { one: deletion, ids: { guid: 'groupId' } },
	change: { done: 'deleted the group', inspect: 'the group' },
	inOrder: ['groupId'],
	fields: [groupId, onBehalfOf],
};
