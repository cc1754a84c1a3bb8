import type { Resource } from '../../description/types';
import { operationsOf } from '../operationsOf';
import * as operations from './operations';

export const users: Resource = {
	name: 'User',
	value: 'user',
	description: 'What to do with users',
	operations: operationsOf(operations),
	defaultOperation: 'list',
};
