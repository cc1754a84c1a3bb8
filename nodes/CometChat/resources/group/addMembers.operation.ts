import { requiredUserListField } from '../../fields/commonFields';
import { createOptionsCollection } from '../../fields/options';
import { onBehalfOfField } from '../../fields/onBehalfOf';
import { groupIdField } from '../../fields/userAndGroup';
import type { Operation } from '../../types';
import { MAX_USERS_PER_BATCH } from '../batches';
import { addMemberResultEntity } from './entity';
import { ifAlreadyMemberField, addAsField } from './fields';

export const addMembers: Operation = {
	name: 'Add Members',
	value: 'addMembers',
	action: 'Add members to group',
	description: 'Add users to a group, one item per user. May lift the ban of a banned user.',
	routing: { request: { method: 'POST', url: '/groups/{groupId}/members' } },
	rateLimit: 'core',
	response: {
		each: addMemberResultEntity,
		listParameter: 'uids',
		batchSize: MAX_USERS_PER_BATCH,
		entry: 'user',
		changed: 'added',
	},
	changeWords: { done: 'added the members', placeToCheck: 'the members of the group' },
	sequentialBy: ['groupId', 'uids'],
	fields: [
		groupIdField,
		requiredUserListField,
		addAsField,
		onBehalfOfField,
		createOptionsCollection('What counts as success', [ifAlreadyMemberField]),
	],
};
