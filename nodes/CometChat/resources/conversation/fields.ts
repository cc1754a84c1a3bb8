import { InputError } from '../../errors/describedErrors';
import { formatValueForError } from '../../helpers/formatText';
import { checkNotMessageIdList } from '../../fields/fieldChecks';
import type { ValidatingConverter, Field } from '../../types';
import { messageIdField } from '../message/fields';

export const markReadReceiverTypeField: Field = {
	displayName: 'Conversation With',
	name: 'receiverType',
	type: 'options',
	options: [
		{ name: 'Group', value: 'group' },
		{
			name: 'User',
			value: 'user',
			routing: { request: { url: '/users/{userId}/conversation/read' } },
		},
	],
	default: 'group',
	description: 'Whether the conversation is in a group or with a user',
};

/** Returns a message ID as a number, as CometChat requires for marking messages as read. */
const toMessageNumber: ValidatingConverter = (value, label) => {
	const id = String(checkNotMessageIdList(value, label));
	if (/^\d{1,15}$/.test(id)) return Number(id);
	throw new InputError(
		label,
		`must be a number, but it is ${formatValueForError(id)}`,
		'Use the column messageId of Conversation → List.',
	);
};

export const lastMessageIdField: Field = {
	...messageIdField,
	description: 'ID of the last message to mark as read',
	check: toMessageNumber,
	routing: { send: { type: 'body', property: 'messageId' } },
};
