import { filtersOf, statusFilter } from '../../fields/filters';
import { limit, returnAll } from '../../fields/listFields';
import { groupId } from '../../fields/userAndGroup';
import type { Operation } from '../../description/types';
import { member } from './entity';
import { SCOPES } from './fields';

export const listMembers: Operation = {
	name: 'List Members',
	value: 'listMembers',
	action: 'List members of group',
	description: 'List the members of a group, across all pages',
	routing: { request: { method: 'GET', url: '/groups/{groupId}/members' } },
	response: { many: member, by: 'page' },
	fields: [
		groupId,
		returnAll,
		limit,
		filtersOf('member', [
			{
				displayName: 'Scopes',
				name: 'scopes',
				type: 'multiOptions',
				options: SCOPES,
				default: [],
				description: 'List only members with one of these scopes',
				routing: { send: { type: 'query', property: 'scopes' } },
			},
			statusFilter('members'),
		]),
	],
};
