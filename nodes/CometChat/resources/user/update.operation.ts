import { userId } from '../../fields/userAndGroup';
import type { Operation } from '../../description/types';
import { clearedMetadata } from './checks';
import { user } from './entity';
import { updateFields } from './fields';

export const updateOfUser = { done: 'updated the user', inspect: 'the user' };

export const update: Operation = {
	name: 'Update',
	value: 'update',
	action: 'Update user',
	description: 'Change the fields of a user',
	routing: { request: { method: 'PUT', url: '/users/{userId}' } },
	response: { one: user },
	change: updateOfUser,
	inOrder: ['userId'],
	check: clearedMetadata,
	fields: [userId, updateFields],
};
