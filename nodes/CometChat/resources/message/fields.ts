import type { INodeProperties } from 'n8n-workflow';

import { checkMessageId } from '../../fields/fieldChecks';
import { createTextField, createMetadataField, createTagsField } from '../../fields/body';
import { groupIdField, userIdField } from '../../fields/userAndGroup';
import { toOptions } from '../../fields/options';
import type { Field, Values } from '../../types';
import { APP_USER } from '../../transport/types';

export const messageIdField: Field = {
	...createTextField('Message ID', 'messageId', '501', 'ID of the message'),
	required: true,
	check: checkMessageId,
};

export const threadMessageIdField: Field = {
	...messageIdField,
	description:
		'ID of the message that starts the thread. If the message is a reply itself, use its parentId.',
};

export const reactionField: INodeProperties = {
	...createTextField(
		'Reaction',
		'reaction',
		'👍',
		'Emoji or text. 👍 and 👍🏽 are different reactions.',
	),
	required: true,
};

export const textField: INodeProperties = {
	displayName: 'Text',
	name: 'text',
	type: 'string',
	typeOptions: { rows: 3 },
	required: true,
	default: '',
	placeholder: 'e.g. Hello everyone',
	description: 'Text of the message',
	routing: { send: { type: 'body', property: 'data.text' } },
};

export const metadataField = createMetadataField(
	'Your own data about the message, as a JSON object',
	'data.metadata',
);

export const tagsField = createTagsField('message', 'starred');

/** Fields that select a message's receiver. */
export const receiverFields: Field[] = [
	{
		displayName: 'Send To',
		name: 'receiverType',
		type: 'options',
		options: toOptions('Group', 'User'),
		default: 'group',
		description: 'Whether a group or a user receives the message',
		routing: { send: { type: 'body', property: 'receiverType' } },
	},
	{
		...groupIdField,
		description: 'GUID of the group that receives the message',
		displayOptions: { show: { receiverType: ['group'] } },
		routing: { send: { type: 'body', property: 'receiver' } },
	},
	{
		...userIdField,
		description: 'UID of the user who receives the message',
		displayOptions: { show: { receiverType: ['user'] } },
		routing: { send: { type: 'body', property: 'receiver' } },
	},
];

/**
 * Returns the conversation ID for a new message. Messages in both directions between two users have the
 * same ID.
 */
export function getConversation({ receiverType, groupId, userId, onBehalfOf }: Values): string[] {
	const people = [userId, onBehalfOf ?? APP_USER].map((uid) => String(uid).toLowerCase()).sort();
	return [
		receiverType === 'group' ? `group_${String(groupId).toLowerCase()}` : people.join('_user_'),
	];
}
