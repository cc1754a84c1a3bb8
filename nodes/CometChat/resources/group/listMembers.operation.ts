import { createFiltersField, createOnlineStatusFilter } from '../../fields/filters';
import { limitField, numberedPagesOptionsField, returnAllField } from '../../fields/listFields';
import { groupIdField } from '../../fields/userAndGroup';
import type { Operation } from '../../types';
import { memberEntity } from './entity';
import { SCOPE_OPTIONS } from './fields';

export const listMembers: Operation = {
	name: 'List Members',
	value: 'listMembers',
	action: 'List members of group',
	description: 'List the members of a group',
	routing: { request: { method: 'GET', url: '/groups/{groupId}/members' } },
	response: { many: memberEntity, pagedBy: 'page', columnParameters: { guid: 'groupId' } },
	fields: [
		groupIdField,
		returnAllField,
		limitField,
		createFiltersField('member', [
			{
				displayName: 'Scopes',
				name: 'scopes',
				type: 'multiOptions',
				options: SCOPE_OPTIONS,
				default: [],
				description: 'List only members with one of these scopes',
			},
			createOnlineStatusFilter('members'),
		]),
		numberedPagesOptionsField,
	],
};
