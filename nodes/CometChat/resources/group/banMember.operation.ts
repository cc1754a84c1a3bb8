import { onBehalfOfField } from '../../fields/onBehalfOf';
import { groupIdField, userIdField } from '../../fields/userAndGroup';
import type { Operation } from '../../types';
import { banMemberConfirmationRowType } from './entity';

export const banMember: Operation = {
	name: 'Ban Member',
	value: 'banMember',
	action: 'Ban member from group',
	description: 'Remove a user from a group, and keep them from joining again',
	routing: { request: { method: 'POST', url: '/groups/{groupId}/bannedusers/{userId}' } },
	rateLimit: 'core',
	response: {
		one: banMemberConfirmationRowType,
		columnParameters: { guid: 'groupId', uid: 'userId' },
	},
	changeWords: { done: 'banned the member', placeToCheck: 'the banned members of the group' },
	sequentialBy: ['groupId', 'userId'],
	fields: [groupIdField, userIdField, onBehalfOfField],
};
