import { userId } from '../../fields/userAndGroup';
import type { Operation } from '../../description/types';
import { unblocking } from './entity';
import { blockedUids } from './fields';

export const unblockUsers: Operation = {
	name: 'Unblock Users',
	value: 'unblockUsers',
	action: 'Unblock users',
	description:
		'Let a user unblock others. One item per user, also for one that could not be unblocked.',
	routing: { request: { method: 'DELETE', url: '/users/{userId}/blockedusers' } },
	response: {
		each: unblocking,
		of: 'uids',
		batchSize: 25,
		entry: 'user',
		failed: 'could not be unblocked',
		unknown: 'may have been unblocked',
	},
	change: { done: 'unblocked the users', inspect: 'the blocked users' },
	inOrder: ['userId', 'uids'],
	fields: [{ ...userId, description: 'User who unblocks' }, blockedUids],
};
