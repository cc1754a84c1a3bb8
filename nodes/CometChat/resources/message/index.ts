import type { INodeProperties } from 'n8n-workflow';

import { fieldsAfter, fieldsBefore } from './common';
import { get, getFields } from './get.operation';
import { removeReaction, removeReactionFields } from './removeReaction.operation';

export const messageOperations = [get, removeReaction];

export const messageProperties: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['message'] } },
		options: messageOperations,
		default: 'get',
		description: 'What to do with the message',
	},
	...fieldsBefore,
	...getFields,
	...removeReactionFields,
	...fieldsAfter,
];
