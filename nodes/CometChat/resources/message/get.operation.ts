import { onBehalfOfField } from '../../fields/onBehalfOf';
import type { Operation } from '../../types';
import { messageEntity } from './entity';
import { messageIdField } from './fields';
import { hintAtDeletedMessage } from './messageChecks';

export const getMessage: Operation = {
	name: 'Get',
	value: 'get',
	action: 'Get message',
	description: 'Get a message by its ID',
	routing: { request: { method: 'GET', url: '/messages/{messageId}' } },
	response: { one: messageEntity },
	hint: hintAtDeletedMessage,
	fields: [messageIdField, onBehalfOfField],
};
