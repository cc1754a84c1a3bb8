import type { Resource } from '../../operation/types';
import * as operations from './operations';

export const users: Resource = {
	name: 'User',
	value: 'user',
	description: 'What to do with users',
	operations: Object.values(operations),
	defaultOperation: 'list',
};
