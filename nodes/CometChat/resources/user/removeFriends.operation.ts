import { requiredUserListField } from '../../fields/commonFields';
import { userIdField } from '../../fields/userAndGroup';
import type { Operation } from '../../types';
import { removeFriendResultEntity } from './entity';
import { listQueueKeysOfFriendPairs } from './friendships';

export const removeFriends: Operation = {
	name: 'Remove Friends',
	value: 'removeFriends',
	action: 'Remove friends from user',
	description: 'End friendships of a user, one item per friend',
	routing: {
		request: {
			method: 'DELETE',
			url: '/users/{userId}/friends',
			body: { friends: '={{ $parameter.uids }}' },
		},
	},
	response: {
		each: removeFriendResultEntity,
		listParameter: 'uids',
		// The response lists no users, and CometChat may refuse a whole batch because of one user (open question 25
		// in docs/status.md)
		batchSize: 1,
		entry: 'user',
		changed: 'removed as friends',
		doneCodes: ['ERR_NOT_A_FRIEND'],
	},
	sequentialBy: listQueueKeysOfFriendPairs,
	fields: [userIdField, requiredUserListField],
};
