import { requiredUserListField } from '../../fields/commonFields';
import { userIdField } from '../../fields/userAndGroup';
import type { Operation } from '../../types';
import { MAX_USERS_PER_BATCH } from '../batches';
import { addFriendResultEntity } from './entity';
import { listQueueKeysOfFriendPairs } from './friendships';

export const addFriends: Operation = {
	name: 'Add Friends',
	value: 'addFriends',
	action: 'Add friends to user',
	description: 'Make users friends of a user, one item per friend',
	routing: {
		request: {
			method: 'POST',
			url: '/users/{userId}/friends',
			body: { accepted: '={{ $parameter.uids }}' },
		},
	},
	response: {
		each: addFriendResultEntity,
		listParameter: 'uids',
		batchSize: MAX_USERS_PER_BATCH,
		entry: 'user',
		changed: 'added as friends',
	},
	changeWords: { done: 'added the friends', placeToCheck: 'the friends of the user' },
	sequentialBy: listQueueKeysOfFriendPairs,
	fields: [userIdField, requiredUserListField],
};
