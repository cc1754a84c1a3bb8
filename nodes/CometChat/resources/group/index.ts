import type { INodeProperties } from 'n8n-workflow';

import { list, listFields } from './list.operation';

export const groupProperties: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['group'] } },
		options: [list],
		default: 'list',
		description: 'What to do with groups',
	},
	...listFields,
];
