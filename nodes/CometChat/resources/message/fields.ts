import type { INodeProperties } from 'n8n-workflow';

import { trimmed } from '../../fields/checks';
import { metadataOf, tagsOf } from '../../fields/body';
import { groupId, userId } from '../../fields/userAndGroup';
import type { Field, Values } from '../../description/types';
import { APP_USER } from '../../transport/types';

export const messageId: Field = {
	displayName: 'Message ID',
	name: 'messageId',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 501',
	description: 'ID of the message',
	check: trimmed,
};

/** The message that starts a thread. */
export const threadMessageId: Field = {
	...messageId,
	description:
		'ID of the message that starts the thread. If the message is a reply itself, use its parentId.',
};

export const reaction: INodeProperties = {
	displayName: 'Reaction',
	name: 'reaction',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 👍',
	description: 'Emoji or text. 👍 and 👍🏽 are different reactions.',
};

export const text: INodeProperties = {
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

export const metadata = metadataOf(
	'Your own data about the message, as a JSON object',
	'data.metadata',
);

export const tags = tagsOf('message', 'starred');

/** Who receives a new message. */
export const receiver: Field[] = [
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
		...groupId,
		description: 'GUID of the group that receives the message',
		displayOptions: { show: { receiverType: ['group'] } },
		routing: { send: { type: 'body', property: 'receiver' } },
	},
	{
		...userId,
		description: 'UID of the user who receives the message',
		displayOptions: { show: { receiverType: ['user'] } },
		routing: { send: { type: 'body', property: 'receiver' } },
	},
];

/** The conversation that a new message goes to: of a group, or of two users, whoever of them sends it. */
export function conversationOf({ receiverType, groupId, userId, onBehalfOf }: Values): string[] {
	const people = [userId, onBehalfOf ?? APP_USER].map((uid) => String(uid).toLowerCase()).sort();
	return [
		receiverType === 'group' ? `group_${String(groupId).toLowerCase()}` : people.join('_user_'),
	];
}
