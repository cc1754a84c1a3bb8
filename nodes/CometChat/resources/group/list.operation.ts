import { filtersOf } from '../../fields/filters';
import { limit, returnAll } from '../../fields/listFields';
import { onBehalfOfParameter } from '../../fields/userAndGroup';
import { userForFilters } from '../../fields/checks';
import type { Operation } from '../../description/types';
import { groupOfUser } from './entity';
import { groupFilters } from './filters';

export const list: Operation = {
	name: 'List',
	value: 'list',
	action: 'List groups',
	description: 'List groups, filtered and sorted, across all pages',
	routing: { request: { method: 'GET', url: '/groups' } },
	response: { many: groupOfUser, by: 'page' },
	check: userForFilters,
	fields: [
		returnAll,
		limit,
		filtersOf('group', groupFilters),
		{
			displayName: 'Sort',
			name: 'sort',
			type: 'collection',
			placeholder: 'Add Sort Field',
			default: {},
			description: 'Order of the groups. If you leave it empty, CometChat decides.',
			options: [
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
					routing: { send: { type: 'query', property: 'sortBy' } },
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
					routing: { send: { type: 'query', property: 'sortOrder' } },
				},
			],
		},
		onBehalfOfParameter,
	],
};
