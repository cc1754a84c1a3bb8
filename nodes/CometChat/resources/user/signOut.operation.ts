import { userIdField } from '../../fields/userAndGroup';
import type { Operation } from '../../types';
import { signOutConfirmationRowType } from './entity';

/**
 * Deletes a user's auth tokens, which never expire. The user's connections may stay open (open question 26 in
 * docs/status.md). CometChat may refuse to delete the auth tokens of a deactivated user (open question 35 in
 * docs/status.md).
 */
export const signOutUser: Operation = {
	name: 'Sign Out Everywhere',
	value: 'signOut',
	action: 'Sign out user everywhere',
	description:
		'Delete all auth tokens of a user. According to CometChat, this ends the sessions on all devices.',
	routing: { request: { method: 'DELETE', url: '/users/{userId}/auth_tokens' } },
	response: { one: signOutConfirmationRowType, columnParameters: { uid: 'userId' } },
	sequentialBy: ['userId'],
	fields: [userIdField],
};
