import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { updateDisplayOptions } from 'n8n-workflow';

import { onBehalfOf } from '../../shared/onBehalfOf';
import { outputProperties } from '../../shared/output';
import { patience } from '../../shared/patience';
import { MESSAGE_COLUMNS } from '../../transport/output';
import { oneMessage } from './message';
import { messageId } from './messageId';

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
	[
		messageId,
		onBehalfOf,
		...outputProperties('message', Object.keys(MESSAGE_COLUMNS), { example: 'e.g. data.text' }),
		patience,
	],
);
