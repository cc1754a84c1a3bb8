import type { Resource } from '../../types';
import { addSharedFieldsAndCompileRouting } from '../addSharedFields';
import { flagMessage } from './flag.operation';
import { listModerationQueue } from './list.operation';
import { reviewMessage } from './review.operation';

export const moderationResource: Resource = {
	name: 'Moderation',
	value: 'moderation',
	description: 'Operation on reported or blocked messages',
	operations: addSharedFieldsAndCompileRouting([listModerationQueue, reviewMessage, flagMessage]),
	defaultOperation: 'list',
};
