import { createOptionsCollection } from '../../fields/options';
import { onBehalfOfField } from '../../fields/onBehalfOf';
import { groupIdField, userIdField } from '../../fields/userAndGroup';
import type { Operation } from '../../types';
import { removeMemberConfirmationRowType } from './entity';
import { ifNotMemberField } from './fields';

export const removeMember: Operation = {
	name: 'Remove Member',
	value: 'removeMember',
	action: 'Remove member from group',
	description: 'Remove a user from a group',
	routing: { request: { method: 'DELETE', url: '/groups/{groupId}/members/{userId}' } },
	rateLimit: 'core',
	response: {
		one: removeMemberConfirmationRowType,
		columnParameters: { guid: 'groupId', uid: 'userId' },
		repeated: { doneCodes: ['ERR_BANNED_GROUPMEMBER'] },
		tolerated: {
			option: 'notMember',
			codes: ['ERR_NOT_A_MEMBER', 'ERR_BANNED_GROUPMEMBER'],
			columns: { deleted: false, notMember: true },
		},
	},
	sequentialBy: ['groupId', 'userId'],
	fields: [
		groupIdField,
		userIdField,
		onBehalfOfField,
		createOptionsCollection('What counts as success', [ifNotMemberField]),
	],
};
