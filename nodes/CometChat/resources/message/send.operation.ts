import { sendAs } from '../../fields/userAndGroup';
import type { Operation } from '../../description/types';
import { contentFields } from './content';
import { message } from './entity';
import { conversationOf, receiver } from './fields';

export const send: Operation = {
	name: 'Send',
	value: 'send',
	action: 'Send message',
	description: 'Send a text, files or custom data to a group or a user',
	routing: { request: { method: 'POST', url: '/messages' } },
	kind: 'send',
	response: { one: message },
	change: { done: 'sent the message', inspect: 'the conversation' },
	inOrder: conversationOf,
	fields: [...receiver, ...contentFields, sendAs],
};
