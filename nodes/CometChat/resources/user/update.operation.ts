import { userIdField } from '../../fields/userAndGroup';
import type { Operation } from '../../types';
import { userEntity } from './entity';
import { updateFieldsField } from './fields';

export const updateUser: Operation = {
	name: 'Update',
	value: 'update',
	action: 'Update user',
	description: 'Change the fields of a user',
	routing: { request: { method: 'PUT', url: '/users/{userId}' } },
	response: { one: userEntity },
	sequentialBy: ['userId'],
	fields: [userIdField, updateFieldsField],
};
