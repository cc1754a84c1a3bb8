import type { INodeProperties } from 'n8n-workflow';

import { InputError } from '../../errors/describedErrors';
import { checkNotMessageIdList } from '../../fields/fieldChecks';
import {
	createTextField,
	createMetadataField,
	createBodyTagsField,
} from '../../fields/commonFields';
import { groupIdField, userIdField } from '../../fields/userAndGroup';
import { createLowerCaseOptions } from '../../fields/options';
import type { ValidatingConverter, Field, ParameterValues } from '../../types';
import { APP_USER_UID } from '../../transport/restTypes';

export const messageIdField: Field = {
	...createTextField('Message ID', 'messageId', '501', 'ID of the message'),
	required: true,
	check: checkNotMessageIdList,
};

export const threadToListField: Field = {
	...messageIdField,
	description:
		'ID of the message that starts the thread. If the message is a reply itself, use its parentId.',
};

/** Field for the thread of a new message. CometChat has a separate path for messages in a thread. */
export const newMessageThreadField: Field = {
	...createTextField(
		'Thread',
		'parentId',
		'501',
		'ID of the message that starts the thread. Leave empty to send outside threads.',
	),
	needs: ['onBehalfOf'],
	check: checkNotMessageIdList,
	routing: { request: { url: '/messages/{parentId}/thread' } },
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

/** Matches a text that consists only of emojis. An emoji can consist of several characters. */
const ONLY_EMOJIS_PATTERN =
	/^(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{Regional_Indicator}|[#*\d](?=\uFE0F?\u20E3)|\u200D|\u20E3|\uFE0E|\uFE0F|[\u{E0020}-\u{E007F}])+$/u;

/** Rejects the texts "null" and "undefined", which an expression or an AI model may produce for a missing value. */
export const checkReactionIsNotNullText: ValidatingConverter = (value, label) => {
	const reaction = String(value);
	if (!/^(?:null|undefined)$/i.test(reaction)) return reaction;
	throw new InputError(
		label,
		`must be an emoji or a text, but it is "${reaction}"`,
		`Fill in '${label}', e.g. 👍.`,
	);
};

/** Returns a hint if a reaction isn't an emoji, e.g. ":thumbsup:". */
export function createTextReactionHint({ reaction }: ParameterValues): string | undefined {
	const text = String(reaction);
	if (ONLY_EMOJIS_PATTERN.test(text)) return undefined;
	return `CometChat stores '${text}' as text, not as an emoji such as 👍`;
}

export const textField: INodeProperties = {
	displayName: 'Text',
	name: 'text',
	type: 'string',
	typeOptions: { rows: 3 },
	required: true,
	default: '',
	placeholder: 'e.g. Hello everyone',
	description: 'Text of the message. To mention a user, write &lt;@uid:UID&gt;.',
	routing: { send: { type: 'body', property: 'data.text' } },
};

export const metadataField = createMetadataField(
	'Your own data about the message, as a JSON object',
	'data.metadata',
);

export const tagsField = createBodyTagsField('message', 'starred');

/** Fields that select a message's receiver. */
export const receiverFields: Field[] = [
	{
		displayName: 'Send To',
		name: 'receiverType',
		type: 'options',
		options: createLowerCaseOptions('Group', 'User'),
		default: 'group',
		description: 'Whether a group or a user receives the message',
		routing: { send: { type: 'body', property: 'receiverType' } },
	},
	{
		...groupIdField,
		alternative: 'userId',
		description: 'GUID of the group that receives the message',
		displayOptions: { show: { receiverType: ['group'] } },
		routing: { send: { type: 'body', property: 'receiver' } },
	},
	{
		...userIdField,
		alternative: 'groupId',
		description: 'UID of the user who receives the message',
		displayOptions: { show: { receiverType: ['user'] } },
		routing: { send: { type: 'body', property: 'receiver' } },
	},
];

/**
 * Returns a list with one key, for the conversation that an item changes. Messages in both directions between two
 * users have the same key.
 */
export function listConversationQueueKeys({
	receiverType,
	groupId,
	userId,
	onBehalfOf,
}: ParameterValues): string[] {
	const people = [userId, onBehalfOf ?? APP_USER_UID]
		.map((uid) => String(uid).toLowerCase())
		.sort();
	return [
		receiverType === 'group' ? `group_${String(groupId).toLowerCase()}` : people.join('_user_'),
	];
}
