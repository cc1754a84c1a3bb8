import { options } from '../../fields/retryOptions';
import { onBehalfOf, userId } from '../../fields/userAndGroup';
import type { Operation } from '../../operation/types';
import { user } from './entity';
import { userOutput } from './fields';

export const get: Operation = {
	name: 'Get',
	value: 'get',
	action: 'Get user',
	description: 'Get one user by UID',
	routing: { request: { method: 'GET', url: '/users/{userId}' } },
	response: { one: user },
	fields: [userId, onBehalfOf, ...userOutput, options],
};
