import { limit, returnAll } from '../../fields/listFields';
import { userId } from '../../fields/userAndGroup';
import type { Operation } from '../../description/types';
import { blockedUser } from './entity';

export const listBlocked: Operation = {
	name: 'List Blocked Users',
	value: 'listBlocked',
	action: 'List blocked users',
	description: 'List the users whom a user has blocked, across all pages',
	routing: { request: { method: 'GET', url: '/users/{userId}/blockedusers' } },
	response: { many: blockedUser, by: 'page' },
	fields: [{ ...userId, description: 'User whose blocked users to list' }, returnAll, limit],
};
