import type { Resource } from '../../description/types';
import { operationsOf } from '../operationsOf';
import * as operations from './operations';

export const moderation: Resource = {
	name: 'Moderation',
	value: 'moderation',
	description: 'What to do with messages that were reported or blocked',
	operations: operationsOf(operations),
	defaultOperation: 'list',
};
