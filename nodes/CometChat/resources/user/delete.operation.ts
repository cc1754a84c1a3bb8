import { options } from '../../fields/retryOptions';
import { userId } from '../../fields/userAndGroup';
import type { Operation } from '../../operation/types';
import { confirmation } from '../group/entity';
import { confirmationOutput } from '../group/fields';

export const deleteUser: Operation = {
	name: 'Delete',
	value: 'delete',
	action: 'Delete user',
	description: 'Delete a user for good. This cannot be undone, unlike Deactivate.',
	routing: { request: { method: 'DELETE', url: '/users/{userId}', body: { permanent: true } } },
	kind: 'core',
	response: { one: confirmation, ids: { uid: 'userId' } },
	change: { done: 'deleted the user', inspect: 'the user' },
	fields: [userId, ...confirmationOutput, options],
};
