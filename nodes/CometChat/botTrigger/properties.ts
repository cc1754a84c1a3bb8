import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { createGroupsField, createUserListField } from '../fields/commonFields';
import { createOptionsCollection } from '../fields/options';
import { createOutputFields } from '../fields/outputFields';
import {
	botUserIdField,
	addLabelToIdValidationMessages,
	userIdField,
} from '../fields/userAndGroup';
import { InputError } from '../errors/describedErrors';
import { ignoredUsersField } from '../sharedByTriggers/ignoredUsers';
import type { ValidatingConverter, Field } from '../types';

/** Maximum length of a bot's UID in CometChat. Other users may have longer UIDs. */
const MAX_BOT_UID_LENGTH = 50;

const checkBotId: ValidatingConverter = (value, label) => {
	const uid = String(userIdField.check?.(value, label) ?? value);
	if (uid.length <= MAX_BOT_UID_LENGTH) return uid;
	throw new InputError(
		label,
		`has a UID of ${uid.length} characters`,
		`CometChat accepts bots whose UID has at most ${MAX_BOT_UID_LENGTH} characters. Create a user with a shorter UID.`,
	);
};

export const botIdField = addLabelToIdValidationMessages({
	...botUserIdField,
	check: checkBotId,
	description: 'User who becomes the bot. Private messages to this user start the workflow.',
	hint: "Create a separate user for the bot: it answers in this user's name",
});

// CometChat may also relay messages of groups that the bot hasn't joined (open question 30 in docs/status.md)
const GROUP_MESSAGE_OPTIONS: INodePropertyOptions[] = [
	{
		name: 'None',
		value: 'none',
		description: 'Only private messages start the workflow',
	},
	{
		name: 'Mentions of the Bot',
		value: 'mentionedMessages',
		description: 'Also messages in groups that mention the bot',
	},
	{
		name: 'Slash Commands',
		value: 'slashedMessages',
		description: 'Also messages in groups that start with a slash, e.g. /help',
	},
	{
		name: 'All',
		value: 'allMessages',
		description: "Also all messages in the bot's groups, except answers of bots",
	},
];

const groupMessagesField: Field = {
	displayName: 'Group Messages',
	name: 'groupMessages',
	type: 'options',
	options: GROUP_MESSAGE_OPTIONS,
	default: 'mentionedMessages',
	description: 'Messages in groups that start the workflow. Add the bot to the groups.',
};

const optionsField = createOptionsCollection('Who starts the workflow, and whose bot it is', [
	{
		...ignoredUsersField,
		hint: 'Add other bots, unless they answer with the operation Answer',
	},
	{
		displayName: 'Include Actions',
		name: 'includeActions',
		type: 'boolean',
		default: false,
		description:
			'Whether calls and notes such as "Mira joined" also start the workflow, if CometChat sends them to bots',
	},
	createUserListField(
		'Only From',
		'onlySenders',
		'Only messages of these users start the workflow',
	),
	createGroupsField(
		'Only in Groups',
		'groupIds',
		'Private messages and messages in these groups start the workflow',
	),
	{
		displayName: 'Take Over Bot',
		name: 'takeOver',
		type: 'boolean',
		default: true,
		description:
			'Whether publishing redirects a bot that leads elsewhere. Another workflow that had the bot stays published, but hears nothing.',
	},
]);

/** Properties of the Bot Trigger. */
export const botProperties: Field[] & INodeProperties[] = [
	botIdField,
	groupMessagesField,
	optionsField,
	...createOutputFields([]),
];

/**
 * Expression for the bot's name, or for the UID if the name is unknown. Only `$rawParameter` exposes the
 * picker's cached name.
 */
const BOT_NAME_CODE = '$rawParameter.toJSON?.().botId?.cachedResultName||$parameter.botId';

/** Expression for the kinds of messages that start the workflow, e.g. "Private Messages, Mentions". */
const HEARD_MESSAGES_CODE = `(${JSON.stringify({
	none: 'Private Messages',
	mentionedMessages: 'Private Messages, Mentions',
	slashedMessages: 'Private Messages, Commands',
	allMessages: 'Private and Group Messages',
})})[$parameter.groupMessages]`;

/** Expression for the node's subtitle, e.g. "Reminders (reminder-bot): Private Messages, Mentions". */
export const botSubtitle = `={{ [${BOT_NAME_CODE},${HEARD_MESSAGES_CODE}].filter(Boolean).join(': ') }}`;
