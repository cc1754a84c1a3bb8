import { groupId, onBehalfOf, userId } from '../../fields/userAndGroup';
import type { Operation } from '../../description/types';
import { changedMember } from './entity';
import { scope } from './fields';

export const changeScope: Operation = {
	name: 'Change Member Scope',
	value: 'changeScope',
	action: 'Change scope of member',
	description: 'Make a member of a group an admin, a moderator or a participant',
	routing: { request: { method: 'PUT', url: '/groups/{groupId}/members/{userId}' } },
	response: { one: changedMember },
	change: { done: 'changed the scope', inspect: 'the members of the group' },
	inOrder: ['groupId', 'userId'],
	fields: [groupId, userId, scope, onBehalfOf],
};
