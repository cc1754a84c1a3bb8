import { updateFieldsOf } from '../../fields/body';
import { onBehalfOf } from '../../fields/userAndGroup';
import type { Operation } from '../../description/types';
import { editedMessage } from './entity';
import { messageId, metadata, tags, text } from './fields';

export const update: Operation = {
	name: 'Update',
	value: 'update',
	action: 'Update message',
	description: 'Change the text, metadata or tags of a message',
	routing: { request: { method: 'PUT', url: '/messages/{messageId}' } },
	response: { one: editedMessage, ids: { id: 'messageId' } },
	change: { done: 'updated the message', inspect: 'the message' },
	inOrder: ['messageId'],
	fields: [
		messageId,
		updateFieldsOf(
			[
				{ ...metadata, whenEmpty: 'refuse' },
				{ ...tags, whenEmpty: 'send' },
				{ ...text, required: false, whenEmpty: 'refuse' },
			],
			{ description: 'What to change: at least one field' },
		),
		onBehalfOf,
	],
};
