import { userId } from '../../fields/userAndGroup';
import type { Operation } from '../../description/types';
import { deletion } from './entity';

export const deleteUser: Operation = {
	name: 'Delete',
	value: 'delete',
	action: 'Delete user',
	description: 'Delete a user for good. This cannot be undone, unlike Deactivate.',
	routing: { request: { method: 'DELETE', url: '/users/{userId}', body: { permanent: true } } },
	kind: 'core',
	response: { one: deletion, ids: { uid: 'userId' } },
	change: { done: 'deleted the user', inspect: 'the user' },
	inOrder: ['userId'],
	fields: [userId],
};
