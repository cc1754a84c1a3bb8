import type { Resource } from '../../types';
import { addSharedFieldsAndPrecompileRouting } from '../addSharedFields';
import { flagMessage } from './flag.operation';
import { listModerationQueue } from './list.operation';
import { reviewMessage } from './review.operation';

export const moderationResource: Resource = {
	name: 'Moderation',
	value: 'moderation',
	description: 'Operation on reported or blocked messages',
	operations: addSharedFieldsAndPrecompileRouting([
		listModerationQueue,
		reviewMessage,
		flagMessage,
	]),
	defaultOperation: 'list',
};
