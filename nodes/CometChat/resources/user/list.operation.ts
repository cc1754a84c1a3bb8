import { limit, pageOptions, returnAll } from '../../fields/lists';
import type { Operation } from '../../operation/types';
import { user } from './entity';
import { userListOutput } from './fields';
import { userFilters } from './filters';

export const list: Operation = {
	name: 'List',
	value: 'list',
	action: 'List users',
	description: 'List users, filtered, across all pages',
	routing: { request: { method: 'GET', url: '/users' } },
	response: { many: user, by: 'page' },
	fields: [
		returnAll,
		limit,
		{
			displayName: 'Filters',
			name: 'filters',
			type: 'collection',
			placeholder: 'Add Filter',
			default: {},
			description: 'Which users to list. A user must match all filters.',
			options: userFilters,
		},
		...userListOutput,
		pageOptions,
	],
};
