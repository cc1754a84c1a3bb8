import { onBehalfOfField } from '../../fields/onBehalfOf';
import { userIdField } from '../../fields/userAndGroup';
import type { Operation } from '../../types';
import { userEntity } from './entity';

export const getUser: Operation = {
	name: 'Get',
	value: 'get',
	action: 'Get user',
	description: 'Get a user by UID',
	routing: { request: { method: 'GET', url: '/users/{userId}' } },
	response: { one: userEntity },
	fields: [userIdField, onBehalfOfField],
};
