import { groupIdField, userIdField } from '../../fields/userAndGroup';
import type { Operation } from '../../types';
import { membershipCheckEntity } from './entity';

export const getMember: Operation = {
	name: 'Get Member',
	value: 'getMember',
	action: 'Get member of group',
	description: 'Get whether a user is a member of a group, and with which scope',
	routing: {
		request: {
			method: 'GET',
			url: '/groups/{groupId}',
			headers: { onBehalfOf: '={{ $parameter.userId }}' },
		},
	},
	response: {
		one: membershipCheckEntity,
		columnParameters: { guid: 'groupId', uid: 'userId' },
		memberUserPath: '/users/{userId}',
	},
	fields: [groupIdField, userIdField],
};
