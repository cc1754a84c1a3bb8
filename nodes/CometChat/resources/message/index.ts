import type { Resource } from '../../description/types';
import { operationsOf } from '../operationsOf';
import * as operations from './operations';

export const messages: Resource = {
	name: 'Message',
	value: 'message',
	description: 'What to do with messages',
	operations: operationsOf(operations),
	defaultOperation: 'send',
	firstDefault: 'get',
};
