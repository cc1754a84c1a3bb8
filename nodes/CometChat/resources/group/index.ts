import type { INodeProperties } from 'n8n-workflow';

import { list, listFields } from './list.operation';

export const groupOperations = [list];

export const groupProperties: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['group'] } },
		options: groupOperations,
		default: 'list',
		description: 'What to do with groups',
	},
	...listFields,
];
