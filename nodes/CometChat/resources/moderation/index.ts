import type { Resource } from '../../description/types';
import { operationsOf } from '../operationsOf';
import { flag } from './flag.operation';
import { list } from './list.operation';
import { review } from './review.operation';

export const moderation: Resource = {
	name: 'Moderation',
	value: 'moderation',
	description: 'What to do with messages that were reported or blocked',
	operations: operationsOf([list, review, flag]),
	defaultOperation: 'list',
};
