import { onBehalfOfField } from '../../fields/onBehalfOf';
import type { Operation } from '../../types';
import { deletedMessageEntity, isDeleted } from './entity';
import { messageIdField } from './fields';

export const deleteMessage: Operation = {
	name: 'Delete',
	value: 'delete',
	action: 'Delete message',
	description: 'Delete a message for everyone. This cannot be undone.',
	routing: { request: { method: 'DELETE', url: '/messages/{messageId}' } },
	response: {
		one: deletedMessageEntity,
		columnParameters: { id: 'messageId' },
		repeated: {
			// CometChat sends this code for a message that is already deleted, but also in other cases
			doneCodes: ['ERR_MESSAGE_ACTION_NOT_ALLOWED'],
			readBack: '/messages/{messageId}',
			isDone: isDeleted,
		},
	},
	sequentialBy: ['messageId'],
	fields: [
		messageIdField,
		{
			displayName: 'Permanent',
			name: 'permanent',
			type: 'boolean',
			default: false,
			description:
				'Whether to also remove the message from the database. If turned off, CometChat keeps the message, marked as deleted.',
			routing: { send: { type: 'body', property: 'permanent' } },
		},
		onBehalfOfField,
	],
};
