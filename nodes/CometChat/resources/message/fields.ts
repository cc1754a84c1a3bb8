import type { INodeProperties } from 'n8n-workflow';

import { trimText } from '../../fields/fieldChecks';
import { createMetadataField, createTagsField } from '../../fields/body';
import { groupIdField, userIdField } from '../../fields/userAndGroup';
import type { Field, Values } from '../../description/types';
import { APP_USER } from '../../transport/types';

export const messageIdField: Field = {
	displayName: 'Message ID',
	name: 'messageId',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 501',
	description: 'ID of the message',
	check: trimText,
};

/** The message that starts a thread. */
export const threadMessageIdField: Field = {
	...messageIdField,
	description:
		'ID of the message that starts the thread. If the message is a reply itself, use its parentId.',
};

export const reactionField: INodeProperties = {
	displayName: 'Reaction',
	name: 'reaction',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 👍',
	description: 'Emoji or text. 👍 and 👍🏽 are different reactions.',
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

/** Who receives a new message. */
export const receiverFields: Field[] = [
	{
		displayName: 'Send To',
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

/** The conversation that a new message goes to: of a group, or of two users, whoever of them sends it. */
export function getConversation({ receiverType, groupId, userId, onBehalfOf }: Values): string[] {
	const people = [userId, onBehalfOf ?? APP_USER].map((uid) => String(uid).toLowerCase()).sort();
	return [
		receiverType === 'group' ? `group_${String(groupId).toLowerCase()}` : people.join('_user_'),
	];
}
