import { userId } from '../../fields/userAndGroup';
import type { Operation } from '../../description/types';
import { blocking } from './entity';
import { blockedUids } from './fields';

export const blockUsers: Operation = {
	name: 'Block Users',
	value: 'blockUsers',
	action: 'Block users',
	description:
		'Let a user block others: no messages go either way. One item per user, also for one that could not be blocked.',
	routing: { request: { method: 'POST', url: '/users/{userId}/blockedusers' } },
	response: {
		each: blocking,
		of: 'uids',
		batchSize: 25,
		entry: 'user',
		failed: 'could not be blocked',
		unknown: 'may have been blocked',
	},
	change: { done: 'blocked the users', inspect: 'the blocked users' },
	inOrder: ['userId', 'uids'],
	fields: [{ ...userId, description: 'User who blocks' }, blockedUids],
};
