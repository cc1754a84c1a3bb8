import { onBehalfOfField } from '../../fields/onBehalfOf';
import { groupIdField, userIdField } from '../../fields/userAndGroup';
import type { Operation } from '../../types';
import { changedScopeEntity } from './entity';
import { newScopeField } from './fields';

export const changeMemberScope: Operation = {
	name: 'Change Member Scope',
	value: 'changeScope',
	action: 'Change scope of member',
	description: 'Make a group member an admin, a moderator or a participant',
	routing: { request: { method: 'PUT', url: '/groups/{groupId}/members/{userId}' } },
	response: {
		one: changedScopeEntity,
		columnParameters: { guid: 'groupId', uid: 'userId', scope: 'scope' },
		repeated: { doneCodes: ['ERR_SAME_SCOPE'] },
	},
	sequentialBy: ['groupId', 'userId'],
	fields: [groupIdField, userIdField, newScopeField, onBehalfOfField],
};
