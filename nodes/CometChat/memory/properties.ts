import type { INodeProperties } from 'n8n-workflow';

import { createTextField } from '../fields/commonFields';
import { checkNotMessageIdList } from '../fields/fieldChecks';
import { createOptionsCollection } from '../fields/options';
import {
	botUserIdField,
	groupIdField,
	addLabelToIdValidationMessages,
	userIdField,
} from '../fields/userAndGroup';
import type { Field } from '../types';

/** Default maximum number of characters in a memory, about 5,000 tokens of English text. */
export const DEFAULT_MAX_CHARACTERS = 20_000;

/** Maximum value of 'Messages'. */
const MAX_MESSAGES = 500;

const conversationField: Field = {
	displayName: 'Conversation',
	name: 'conversation',
	type: 'options',
	options: [
		{
			name: 'Where the Bot Was Asked',
			value: 'question',
			description: "The private chat, group or thread of the CometChat Bot Trigger's message",
		},
		{ name: 'Group', value: 'group', description: 'A group, or a thread in the group' },
		{ name: 'User', value: 'user', description: "A user's private chat with the bot" },
	],
	default: 'question',
	description: 'Conversation that the agent knows',
};

const includeOthersField: Field = {
	displayName: 'Other Messages',
	name: 'includeOthers',
	type: 'boolean',
	default: false,
	displayOptions: { show: { conversation: ['question', 'group'] } },
	description:
		'Whether the agent also knows what people wrote to each other in the group. The model then also reads messages that were not meant for the bot.',
};

const optionsField = createOptionsCollection('Limits of what the agent knows', [
	{
		displayName: 'Max Age (Hours)',
		name: 'maxAge',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 24,
		description: 'Older messages are left out. Without this option, messages of any age are read.',
	},
	{
		displayName: 'Max Characters',
		name: 'maxCharacters',
		type: 'number',
		typeOptions: { minValue: 100, numberPrecision: 0 },
		default: DEFAULT_MAX_CHARACTERS,
		description: 'The oldest messages are left out until the others fit',
	},
	{
		...createTextField(
			'Start Over At',
			'startOver',
			'/new',
			'Text of a message with which the conversation starts over. The agent knows nothing before it.',
		),
		default: '/new',
	},
]);

/** Fields for a conversation that the user chooses. */
const chosenConversationFields: Field[] = [
	{
		...botUserIdField,
		description: "User whose messages are the agent's own, and on whose behalf messages are read",
		displayOptions: { show: { conversation: ['group', 'user'] } },
	},
	{ ...groupIdField, displayOptions: { show: { conversation: ['group'] } } },
	{
		...userIdField,
		description: 'UID of the user who chats with the bot',
		displayOptions: { show: { conversation: ['user'] } },
	},
	{
		...createTextField(
			'Thread',
			'parentId',
			'501',
			'ID of the message that starts the thread. Leave empty for messages outside threads.',
		),
		check: checkNotMessageIdList,
		displayOptions: { show: { conversation: ['group', 'user'] } },
	},
	{
		...createTextField(
			'Before Message',
			'beforeId',
			'501',
			"ID of the agent's question, which the agent gets anyway. Leave empty to read up to the newest message.",
		),
		check: checkNotMessageIdList,
		displayOptions: { show: { conversation: ['group', 'user'] } },
	},
];

/** Properties of the memory node. */
export const memoryProperties: Field[] & INodeProperties[] = [
	conversationField,
	...chosenConversationFields.map(addLabelToIdValidationMessages),
	{
		displayName: 'Messages',
		name: 'messages',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: MAX_MESSAGES, numberPrecision: 0 },
		default: 20,
		description: 'How many messages before the question the agent knows',
	},
	includeOthersField,
	optionsField,
];

/** Expression for the node's subtitle, which shows the selected option of 'Conversation'. */
export const memorySubtitle = `={{ (${JSON.stringify({
	question: 'Where the Bot Was Asked',
	group: 'Group',
	user: 'User',
})})[$parameter.conversation] }}`;
