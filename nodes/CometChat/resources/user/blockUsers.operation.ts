import { userIdField } from '../../fields/userAndGroup';
import type { Operation } from '../../types';
import { MAX_USERS_PER_BATCH } from '../batches';
import { blockResultEntity } from './entity';
import { blockedUidsField } from './fields';

export const blockUsers: Operation = {
	name: 'Block Users',
	value: 'blockUsers',
	action: 'Block users',
	description:
		'Let a user block others, so that neither side can message the other. One item per user.',
	routing: { request: { method: 'POST', url: '/users/{userId}/blockedusers' } },
	response: {
		each: blockResultEntity,
		listParameter: 'uids',
		batchSize: MAX_USERS_PER_BATCH,
		entry: 'user',
		changed: 'blocked',
	},
	changeWords: { done: 'blocked the users', placeToCheck: 'the blocked users' },
	sequentialBy: ['userId', 'uids'],
	fields: [{ ...userIdField, description: 'User who blocks the other users' }, blockedUidsField],
};
