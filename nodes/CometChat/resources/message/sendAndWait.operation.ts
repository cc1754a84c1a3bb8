import { sendAs } from '../../fields/userAndGroup';
import type { Operation } from '../../description/types';
import { sendAndWait as runs } from '../../sendAndWait/execute';
import { message } from './entity';
import { conversationOf, receiver, text } from './fields';
import { answerFields, waitOptions } from './waitFields';

export const sendAndWait: Operation = {
	name: 'Send and Wait for Response',
	value: 'sendAndWait',
	action: 'Send message and wait for response',
	description: 'Ask a group or a user a question, and wait until someone answers by a link in it',
	routing: { request: { method: 'POST', url: '/messages' } },
	kind: 'send',
	response: { one: message },
	change: { done: 'sent the message', inspect: 'the conversation' },
	inOrder: conversationOf,
	runs,
	fields: [
		...receiver,
		{
			...text,
			displayName: 'Message',
			name: 'message',
			typeOptions: { rows: 4 },
			placeholder: 'e.g. Delete 3 messages of Makers?',
			description: 'The question. One message is sent, however many input items there are.',
			routing: {
				request: { body: { category: 'message', type: 'text' } },
				send: { type: 'body', property: 'data.text' },
			},
		},
		...answerFields,
		sendAs,
		waitOptions,
	],
};
