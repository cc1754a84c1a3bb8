import {
	createReplacementTagsField,
	createUpdateFieldsCollection,
} from '../../fields/commonFields';
import { createNonEmptyObjectCheck } from '../../fields/fieldChecks';
import { onBehalfOfField } from '../../fields/onBehalfOf';
import type { Operation } from '../../types';
import { editedMessageEntity } from './entity';
import { messageIdField, metadataField, tagsField, textField } from './fields';

export const updateMessage: Operation = {
	name: 'Update',
	value: 'update',
	action: 'Update message',
	description: 'Change the text, metadata or tags of a message',
	routing: { request: { method: 'PUT', url: '/messages/{messageId}' } },
	response: { one: editedMessageEntity, columnParameters: { id: 'messageId' } },
	sequentialBy: ['messageId'],
	fields: [
		messageIdField,
		onBehalfOfField,
		createUpdateFieldsCollection([
			{ ...metadataField, check: createNonEmptyObjectCheck() },
			createReplacementTagsField(tagsField, 'message'),
			{ ...textField, required: false },
		]),
	],
};
