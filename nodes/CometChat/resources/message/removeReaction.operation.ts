import { reactedBy } from '../../fields/userAndGroup';
import type { Operation } from '../../description/types';
import { messageWithReactions } from './entity';
import { messageId, reaction } from './fields';

export const removeReaction: Operation = {
	name: 'Remove Reaction',
	value: 'removeReaction',
	action: 'Remove reaction from message',
	description: 'Remove a reaction that a user made to a message, and return the message',
	routing: { request: { method: 'DELETE', url: '/messages/{messageId}/reactions/{reaction}' } },
	response: { one: messageWithReactions },
	change: { done: 'removed the reaction', inspect: 'the message' },
	inOrder: ['messageId', 'onBehalfOf'],
	fields: [
		messageId,
		{
			...reaction,
			description:
				'Emoji or text to remove, exactly as it was added. 👍 and 👍🏽 are different reactions.',
		},
		reactedBy,
	],
};
