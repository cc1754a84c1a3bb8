import { uids } from '../../fields/body';
import { optionsOf } from '../../fields/options';
import { groupId, onBehalfOf } from '../../fields/userAndGroup';
import type { Operation } from '../../description/types';
import { addedMember } from './entity';
import { alreadyMember, scopeOfAdded } from './fields';

export const addMembers: Operation = {
	name: 'Add Members',
	value: 'addMembers',
	action: 'Add members to group',
	description:
		'Add users to a group: one item per user, also for one that could not be added. Adding a banned user may lift the ban.',
	routing: { request: { method: 'POST', url: '/groups/{groupId}/members' } },
	kind: 'core',
	response: {
		each: addedMember,
		of: 'uids',
		batchSize: 25,
		entry: 'user',
		failed: 'could not be added',
		unknown: 'may have been added',
	},
	change: { done: 'added the members', inspect: 'the members of the group' },
	inOrder: ['groupId', 'uids'],
	fields: [
		groupId,
		uids,
		scopeOfAdded,
		onBehalfOf,
		optionsOf('What counts as success', [alreadyMember]),
	],
};
