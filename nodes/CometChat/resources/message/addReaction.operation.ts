import { reactedByField } from '../../fields/onBehalfOf';
import type { Operation } from '../../types';
import { addReactionMessageEntity, reactionParameterNamesByColumn } from './entity';
import {
	checkReactionIsNotNullText,
	createTextReactionHint,
	messageIdField,
	reactionField,
} from './fields';

export const addReaction: Operation = {
	name: 'Add Reaction',
	value: 'addReaction',
	action: 'Add reaction to message',
	description: "Add a user's reaction to a message, and return the message",
	routing: { request: { method: 'POST', url: '/messages/{messageId}/reactions/{reaction}' } },
	response: { one: addReactionMessageEntity, columnParameters: reactionParameterNamesByColumn },
	changeWords: { done: 'added the reaction', placeToCheck: 'the message' },
	sequentialBy: ['messageId', 'onBehalfOf'],
	fields: [messageIdField, { ...reactionField, check: checkReactionIsNotNullText }, reactedByField],
	hint: createTextReactionHint,
};
