import { onBehalfOf } from '../../fields/userAndGroup';
import type { Operation } from '../../description/types';
import { message } from './entity';
import { messageId } from './fields';

export const get: Operation = {
	name: 'Get',
	value: 'get',
	action: 'Get message',
	description: 'Get one message by its ID',
	routing: { request: { method: 'GET', url: '/messages/{messageId}' } },
	response: { one: message },
	fields: [messageId, onBehalfOf],
};
