import { requiredOnBehalfOf } from '../../fields/userAndGroup';
import type { Operation } from '../../description/types';
import { contentFields } from './content';
import { message } from './entity';
import { threadMessageId } from './fields';

export const reply: Operation = {
	name: 'Reply',
	value: 'reply',
	action: 'Reply to message',
	description: 'Send a text, files or custom data to the thread of a message',
	routing: { request: { method: 'POST', url: '/messages/{messageId}/thread' } },
	kind: 'send',
	response: { one: message },
	change: { done: 'sent the reply', inspect: 'the thread' },
	inOrder: ['messageId'],
	fields: [
		threadMessageId,
		...contentFields,
		{
			...requiredOnBehalfOf,
			displayName: 'Send As',
			description: 'User who sends the reply: a member of the group, or one of the two users',
		},
	],
};
