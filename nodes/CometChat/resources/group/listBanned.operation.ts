import { limit, returnAll } from '../../fields/listFields';
import { groupId } from '../../fields/userAndGroup';
import type { Operation } from '../../description/types';
import { member } from './entity';

export const listBanned: Operation = {
	name: 'List Banned Members',
	value: 'listBanned',
	action: 'List banned members of group',
	description: 'List the users who are banned from a group, across all pages',
	routing: { request: { method: 'GET', url: '/groups/{groupId}/bannedusers' } },
	response: { many: member, by: 'page' },
	fields: [groupId, returnAll, limit],
};
