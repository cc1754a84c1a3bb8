import { reactedBy } from '../../fields/userAndGroup';
import type { Operation } from '../../description/types';
import { messageWithReactions } from './entity';
import { messageId, reaction } from './fields';

export const addReaction: Operation = {
	name: 'Add Reaction',
	value: 'addReaction',
	action: 'Add reaction to message',
	description: 'Add a reaction of a user to a message, and return the message',
	routing: { request: { method: 'POST', url: '/messages/{messageId}/reactions/{reaction}' } },
	response: { one: messageWithReactions },
	change: { done: 'added the reaction', inspect: 'the message' },
	inOrder: ['messageId', 'onBehalfOf'],
	fields: [messageId, reaction, reactedBy],
};
