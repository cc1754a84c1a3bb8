import { userIdField } from '../../fields/userAndGroup';
import type { Operation } from '../../types';
import { deleteUserConfirmationRowType } from './entity';

export const deleteUser: Operation = {
	name: 'Delete',
	value: 'delete',
	action: 'Delete user',
	description: 'Delete a user for good. This cannot be undone, unlike Deactivate.',
	routing: { request: { method: 'DELETE', url: '/users/{userId}', body: { permanent: true } } },
	rateLimit: 'core',
	response: { one: deleteUserConfirmationRowType, columnParameters: { uid: 'userId' } },
	sequentialBy: ['userId'],
	fields: [userIdField],
};
