import type { Resource } from '../../operation/types';
import * as operations from './operations';

export const groups: Resource = {
	name: 'Group',
	value: 'group',
	description: 'What to do with groups',
	operations: Object.values(operations),
	defaultOperation: 'list',
};
