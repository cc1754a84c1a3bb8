import { createFiltersField } from '../../fields/filters';
import { limitField, numberedPagesOptionsField, returnAllField } from '../../fields/listFields';
import type { Operation } from '../../types';
import { listedUserEntity } from './entity';
import { hintWhyEmailSearchFoundNothing, userFilterFields } from './filters';

export const listUsers: Operation = {
	name: 'List',
	value: 'list',
	action: 'List users',
	description: 'List users, all or those that filters select',
	routing: { request: { method: 'GET', url: '/users' } },
	response: { many: listedUserEntity, pagedBy: 'page' },
	hint: hintWhyEmailSearchFoundNothing,
	fields: [
		returnAllField,
		limitField,
		createFiltersField('user', userFilterFields),
		numberedPagesOptionsField,
	],
};
