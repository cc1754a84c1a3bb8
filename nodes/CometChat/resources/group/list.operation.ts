import { createFiltersField } from '../../fields/filters';
import { limitField, numberedPagesOptionsField, returnAllField } from '../../fields/listFields';
import { onBehalfOfField } from '../../fields/onBehalfOf';
import type { Operation } from '../../types';
import { groupWithOnBehalfOfColumnsEntity } from './entity';
import { groupFilterFields } from './filters';
import { sortCollectionField } from './sort';

export const listGroups: Operation = {
	name: 'List',
	value: 'list',
	action: 'List groups',
	description: 'List groups, all or those that filters select',
	routing: { request: { method: 'GET', url: '/groups' } },
	response: { many: groupWithOnBehalfOfColumnsEntity, pagedBy: 'page' },
	fields: [
		onBehalfOfField,
		returnAllField,
		limitField,
		createFiltersField('group', groupFilterFields),
		numberedPagesOptionsField,
		sortCollectionField,
	],
};
