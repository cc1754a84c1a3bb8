import { onBehalfOf, userId } from '../../fields/userAndGroup';
import type { Operation } from '../../description/types';
import { user } from './entity';

export const get: Operation = {
	name: 'Get',
	value: 'get',
	action: 'Get user',
	description: 'Get one user by UID',
	routing: { request: { method: 'GET', url: '/users/{userId}' } },
	response: { one: user },
	fields: [userId, onBehalfOf],
};
