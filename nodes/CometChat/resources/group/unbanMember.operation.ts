import { onBehalfOfField } from '../../fields/onBehalfOf';
import { groupIdField, userIdField } from '../../fields/userAndGroup';
import type { Operation } from '../../types';
import { unbanMemberConfirmationRowType } from './entity';

export const unbanMember: Operation = {
	name: 'Unban Member',
	value: 'unbanMember',
	action: 'Unban member from group',
	description: 'Unban a user, who can then join the group again. This does not make them a member.',
	routing: { request: { method: 'DELETE', url: '/groups/{groupId}/bannedusers/{userId}' } },
	response: {
		one: unbanMemberConfirmationRowType,
		columnParameters: { guid: 'groupId', uid: 'userId' },
	},
	sequentialBy: ['groupId', 'userId'],
	fields: [groupIdField, userIdField, onBehalfOfField],
};
