import { createUpdateFields } from '../../fields/body';
import { onBehalfOfField } from '../../fields/userAndGroup';
import type { Operation } from '../../description/types';
import { editedMessageEntity } from './entity';
import { messageIdField, metadataField, tagsField, textField } from './fields';

export const updateMessage: Operation = {
	name: 'Update',
	value: 'update',
	action: 'Update message',
	description: 'Change the text, metadata or tags of a message',
	routing: { request: { method: 'PUT', url: '/messages/{messageId}' } },
	response: { one: editedMessageEntity, ids: { id: 'messageId' } },
	change: { done: 'updated the message', inspect: 'the message' },
	sequentialBy: ['messageId'],
	fields: [
		messageIdField,
		createUpdateFields(
			[
				{ ...metadataField, whenEmpty: 'refuse' },
				{ ...tagsField, whenEmpty: 'send' },
				{ ...textField, required: false, whenEmpty: 'refuse' },
			],
			{ description: 'Fields to change. Add at least one.' },
		),
		onBehalfOfField,
	],
};
