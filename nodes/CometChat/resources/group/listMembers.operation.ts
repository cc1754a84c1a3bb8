import { limit, pageOptions, returnAll } from '../../fields/lists';
import { groupId } from '../../fields/userAndGroup';
import type { Operation } from '../../operation/types';
import { member } from './entity';
import { SCOPES, memberListOutput } from './fields';

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
		{
			displayName: 'Filters',
			name: 'filters',
			type: 'collection',
			placeholder: 'Add Filter',
			default: {},
			description: 'Which members to list. A member must match all filters.',
			options: [
				{
					displayName: 'Scopes',
					name: 'scopes',
					type: 'multiOptions',
					options: SCOPES,
					default: [],
					description: 'List only members with one of these scopes',
					routing: { send: { type: 'query', property: 'scopes' } },
				},
				{
					displayName: 'Status',
					name: 'status',
					type: 'options',
					options: [
						{ name: 'Available', value: 'available' },
						{ name: 'Offline', value: 'offline' },
					],
					default: 'available',
					description: 'List only members who are online or offline',
					routing: { send: { type: 'query', property: 'status' } },
				},
			],
		},
		...memberListOutput,
		pageOptions,
	],
};
