import { groupId, onBehalfOf, userId } from '../../fields/userAndGroup';
import type { Operation } from '../../description/types';
import { removal } from './entity';

export const removeMember: Operation = {
	name: 'Remove Member',
	value: 'removeMember',
	action: 'Remove member from group',
	description: 'Remove a user from a group',
	routing: { request: { method: 'DELETE', url: '/groups/{groupId}/members/{userId}' } },
	kind: 'core',
	response: { one: removal, ids: { guid: 'groupId', uid: 'userId' } },
	change: { done: 'removed the member', inspect: 'the members of the group' },
	inOrder: ['groupId', 'userId'],
	fields: [groupId, userId, onBehalfOf],
};
