import { onBehalfOfField } from '../../fields/onBehalfOf';
import type { Operation } from '../../types';
import { messageFetchedByIdEntity } from './entity';
import { messageIdField } from './fields';

export const getMessage: Operation = {
	name: 'Get',
	value: 'get',
	action: 'Get message',
	description: 'Get a message by its ID',
	routing: { request: { method: 'GET', url: '/messages/{messageId}' } },
	response: { one: messageFetchedByIdEntity },
	fields: [messageIdField, onBehalfOfField],
};
