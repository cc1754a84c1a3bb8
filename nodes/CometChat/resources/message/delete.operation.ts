import { onBehalfOf } from '../../fields/userAndGroup';
import type { Operation } from '../../description/types';
import { deletedMessage } from './entity';
import { messageId } from './fields';

export const deleteMessage: Operation = {
	name: 'Delete',
	value: 'delete',
	action: 'Delete message',
	description: 'Delete a message for everyone. This cannot be undone.',
	routing: { request: { method: 'DELETE', url: '/messages/{messageId}' } },
	response: { one: deletedMessage, ids: { id: 'messageId' } },
	change: { done: 'deleted the message', inspect: 'the message' },
	inOrder: ['messageId'],
	fields: [
		messageId,
		{
			displayName: 'Permanent',
			name: 'permanent',
			type: 'boolean',
			default: false,
			description:
				'Whether to remove the message from the database too. Turned off, CometChat keeps it, marked as deleted.',
			routing: { send: { type: 'body', property: 'permanent' } },
		},
		onBehalfOf,
	],
};
