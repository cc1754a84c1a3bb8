import { options } from '../../fields/retryOptions';
import { groupId, sendAs, userId } from '../../fields/userAndGroup';
import type { Operation } from '../../operation/types';
import { contentFields } from './content';
import { message } from './entity';
import { messageOutput } from './fields';

export const send: Operation = {
	name: 'Send',
	value: 'send',
	action: 'Send message',
	description: 'Send a text, files or custom data to a group or a user',
	routing: { request: { method: 'POST', url: '/messages' } },
	kind: 'send',
	response: { one: message },
	change: { done: 'sent the message', inspect: 'the conversation' },
	fields: [
		{
			displayName: 'Receiver Type',
			name: 'receiverType',
			type: 'options',
			options: [
				{ name: 'Group', value: 'group' },
				{ name: 'User', value: 'user' },
			],
			default: 'group',
			description: 'Whether a group or a user receives the message',
			routing: { send: { type: 'body', property: 'receiverType' } },
		},
		{
			...groupId,
			description: 'Group that receives the message',
			displayOptions: { show: { receiverType: ['group'] } },
			routing: { send: { type: 'body', property: 'receiver' } },
		},
		{
			...userId,
			description: 'User who receives the message',
			displayOptions: { show: { receiverType: ['user'] } },
			routing: { send: { type: 'body', property: 'receiver' } },
		},
		...contentFields,
		sendAs,
		...messageOutput,
		options,
	],
};
