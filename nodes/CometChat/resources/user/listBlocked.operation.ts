import { limitField, numberedPagesOptionsField, returnAllField } from '../../fields/listFields';
import { userIdField } from '../../fields/userAndGroup';
import type { Operation } from '../../types';
import { blockedUserEntity } from './entity';

export const listBlockedUsers: Operation = {
	name: 'List Blocked Users',
	value: 'listBlocked',
	action: 'List blocked users',
	description: 'List the users whom a user has blocked',
	routing: { request: { method: 'GET', url: '/users/{userId}/blockedusers' } },
	response: { many: blockedUserEntity, pagedBy: 'page', columnParameters: { userId: 'userId' } },
	fields: [
		{ ...userIdField, description: 'User whose block list to return' },
		returnAllField,
		limitField,
		numberedPagesOptionsField,
	],
};
