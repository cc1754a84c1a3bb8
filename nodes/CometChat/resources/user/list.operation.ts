import { filtersOf } from '../../fields/filters';
import { limit, returnAll } from '../../fields/listFields';
import type { Operation } from '../../description/types';
import { listedUser } from './entity';
import { userFilters } from './filters';

export const list: Operation = {
	name: 'List',
	value: 'list',
	action: 'List users',
	description: 'List users, filtered, across all pages',
	routing: { request: { method: 'GET', url: '/users' } },
	response: { many: listedUser, by: 'page' },
	fields: [returnAll, limit, filtersOf('user', userFilters)],
};
