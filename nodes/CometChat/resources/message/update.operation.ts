import { options } from '../../fields/retryOptions';
import { onBehalfOf } from '../../fields/userAndGroup';
import type { Field, Operation } from '../../operation/types';
import { editedMessage } from './entity';
import { editedMessageOutput, messageId, metadata, tags, text } from './fields';

/** What is added to the fields to change is sent, also when it was emptied. */
const updateFields: Field[] = [
	{ ...metadata, whenEmpty: 'refuse' },
	{ ...tags, whenEmpty: 'send' },
	{ ...text, required: false, whenEmpty: 'refuse' },
];

export const update: Operation = {
	name: 'Update',
	value: 'update',
	action: 'Update message',
	description: 'Change the text, metadata or tags of a message',
	routing: { request: { method: 'PUT', url: '/messages/{messageId}' } },
	response: { one: editedMessage },
	change: { done: 'updated the message', inspect: 'the message' },
	fields: [
		messageId,
		{
			displayName: 'Update Fields',
			name: 'updateFields',
			type: 'collection',
			placeholder: 'Add Field',
			required: true,
			default: {},
			description: 'What to change: at least one field',
			options: updateFields,
		},
		onBehalfOf,
		...editedMessageOutput,
		options,
	],
};
