import { userIdField } from '../../fields/userAndGroup';
import type { Operation } from '../../types';
import { MAX_USERS_PER_BATCH } from '../batches';
import { unblockResultEntity } from './entity';
import { blockedUidsField } from './fields';

export const unblockUsers: Operation = {
	name: 'Unblock Users',
	value: 'unblockUsers',
	action: 'Unblock users',
	description: 'Unblock users on behalf of a user, one item per user',
	routing: { request: { method: 'DELETE', url: '/users/{userId}/blockedusers' } },
	response: {
		each: unblockResultEntity,
		listParameter: 'uids',
		batchSize: MAX_USERS_PER_BATCH,
		entry: 'user',
		changed: 'unblocked',
	},
	sequentialBy: ['userId', 'uids'],
	fields: [{ ...userIdField, description: 'User who unblocks the other users' }, blockedUidsField],
};
