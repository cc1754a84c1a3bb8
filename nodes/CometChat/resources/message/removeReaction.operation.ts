import { reactedByField } from '../../fields/onBehalfOf';
import type { Operation } from '../../types';
import { removeReactionMessageEntity, reactionParameterNamesByColumn } from './entity';
import { messageIdField, reactionField } from './fields';

export const removeReaction: Operation = {
	name: 'Remove Reaction',
	value: 'removeReaction',
	action: 'Remove reaction from message',
	description: "Remove a user's reaction from a message, and return the message",
	routing: { request: { method: 'DELETE', url: '/messages/{messageId}/reactions/{reaction}' } },
	// If nobody added the reaction, CometChat may report success, and so does this operation (open question 19 in
	// docs/status.md)
	response: {
		one: removeReactionMessageEntity,
		columnParameters: reactionParameterNamesByColumn,
		repeated: { readBack: '/messages/{messageId}' },
	},
	sequentialBy: ['messageId', 'onBehalfOf'],
	fields: [
		messageIdField,
		{
			...reactionField,
			description:
				'Emoji or text to remove, exactly as it was added. 👍 and 👍🏽 are different reactions.',
		},
		reactedByField,
	],
};
