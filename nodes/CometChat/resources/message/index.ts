import type { Resource } from '../../operation/types';
import * as operations from './operations';

export const messages: Resource = {
	name: 'Message',
	value: 'message',
	description: 'What to do with messages',
	operations: Object.values(operations),
	defaultOperation: 'get',
};
