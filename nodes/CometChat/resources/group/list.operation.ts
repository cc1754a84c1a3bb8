import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { updateDisplayOptions } from 'n8n-workflow';

import { onBehalfOf } from '../../shared/onBehalfOf';
import { outputProperties } from '../../shared/output';
import { patienceOptions } from '../../shared/patience';
import { GROUP_COLUMNS } from '../../transport/output';
import { groupFilters } from './filters';
import { listGroups } from './listGroups';

const returnAll: INodeProperties = {
	displayName: 'Return All',
	name: 'returnAll',
	type: 'boolean',
	default: false,
	description: 'Whether to return all results or only up to a given limit',
};

const limit: INodeProperties = {
	displayName: 'Limit',
	name: 'limit',
	type: 'number',
	typeOptions: { minValue: 1 },
	displayOptions: { show: { returnAll: [false] } },
	default: 50,
	description: 'Max number of results to return',
};

const filters: INodeProperties = {
	displayName: 'Filters',
	name: 'filters',
	type: 'collection',
	placeholder: 'Add Filter',
	default: {},
	description: 'Which groups to list; all filters that are set must fit',
	options: groupFilters,
};

const sort: INodeProperties = {
	displayName: 'Sort',
	name: 'sort',
	type: 'collection',
	placeholder: 'Add Sort Field',
	default: {},
	description: 'Order of the groups; the order of CometChat when left empty',
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
			description: 'Whether the smallest or the largest comes first',
		},
	],
};

const options: INodeProperties = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add Option',
	default: {},
	description: 'Where the list starts, and how it is fetched',
	options: [
		...patienceOptions,
		{
			displayName: 'Page',
			name: 'page',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: 1,
			description: 'First page to fetch, counted from 1. How long a page is, Per Page says.',
		},
		{
			displayName: 'Per Page',
			name: 'perPage',
			type: 'number',
			typeOptions: { minValue: 1, maxValue: 1000 },
			default: 1000,
			description: 'Groups per request, from 1 to 1000. When left out, Limit up to 1000.',
		},
	],
};

export const list: INodePropertyOptions = {
	name: 'List',
	value: 'list',
	action: 'List groups',
	description: 'List many groups, filtered and sorted, over as many pages as there are',
	routing: {
		request: { method: 'GET', url: '/groups' },
		operations: { pagination: listGroups },
		send: { paginate: true },
	},
};

export const listFields: INodeProperties[] = updateDisplayOptions(
	{ show: { resource: ['group'], operation: ['list'] } },
	[
		returnAll,
		limit,
		onBehalfOf,
		...outputProperties('group', Object.keys(GROUP_COLUMNS), {
			example: 'e.g. guid',
			pages:
				'One item per page, the whole answer with its cursor: for lists longer than 100,000 groups, and to go on from the cursor later',
		}),
		filters,
		sort,
		options,
	],
);
