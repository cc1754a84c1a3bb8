import { createFiltersField, routeToQuery } from '../../fields/filters';
import { limitField, returnAllField } from '../../fields/listFields';
import { onBehalfOfField } from '../../fields/onBehalfOf';
import type { Operation } from '../../types';
import { groupForUserEntity } from './entity';
import { groupFilters } from './filters';

export const listGroups: Operation = {
	name: 'List',
	value: 'list',
	action: 'List groups',
	description: 'List all groups, or those that filters select',
	routing: { request: { method: 'GET', url: '/groups' } },
	response: { many: groupForUserEntity, by: 'page' },
	fields: [
		onBehalfOfField,
		returnAllField,
		limitField,
		createFiltersField('group', groupFilters),
		{
			displayName: 'Sort',
			name: 'sort',
			type: 'collection',
			placeholder: 'Add Sort Field',
			default: {},
			description: 'Order of the groups. By default, CometChat decides.',
			options: routeToQuery([
				{
					displayName: 'Sort By',
					name: 'sortBy',
					type: 'options',
					options: [
						{ name: 'Created At', value: 'createdAt' },
						{ name: 'GUID', value: 'guid' },
						{ name: 'Name', value: 'name' },
					],
					default: 'name',
					description: 'Field to sort by',
				},
				{
					displayName: 'Sort Order',
					name: 'sortOrder',
					type: 'options',
					options: [
						{ name: 'Ascending', value: 'asc' },
						{ name: 'Descending', value: 'desc' },
					],
					default: 'asc',
					description: 'Whether to start with the lowest or the highest value',
				},
			]),
		},
	],
};
