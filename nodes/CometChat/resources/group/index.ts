import type { Resource } from '../../description/types';
import { operationsOf } from '../operationsOf';
import * as operations from './operations';

export const groups: Resource = {
	name: 'Group',
	value: 'group',
	description: 'What to do with groups',
	operations: operationsOf(operations),
	defaultOperation: 'list',
};
