import { userId } from '../../fields/userAndGroup';
import type { Operation } from '../../description/types';
import { user } from './entity';
import { updateFields } from './fields';

export const update: Operation = {
	name: 'Update',
	value: 'update',
	action: 'Update user',
	description: 'Change the fields of a user',
	routing: { request: { method: 'PUT', url: '/users/{userId}' } },
	response: { one: user },
	change: { done: 'updated the user', inspect: 'the user' },
	inOrder: ['userId'],
	fields: [userId, updateFields],
};
