import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { updateDisplayOptions } from 'n8n-workflow';

import { onBehalfOf } from '../../shared/onBehalfOf';
import { oneMessage } from './message';

export const get: INodePropertyOptions = {
	name: 'Get',
	value: 'get',
	action: 'Get a message',
	description: 'Get one message by its ID',
	routing: {
		request: { method: 'GET', url: '/messages/{messageId}' },
		operations: { pagination: oneMessage(false) },
		send: { paginate: true },
	},
};

export const getFields: INodeProperties[] = updateDisplayOptions(
	{ show: { resource: ['message'], operation: ['get'] } },
	[onBehalfOf],
);
