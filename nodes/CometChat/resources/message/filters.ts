import { pickedUser } from '../../fields/userAndGroup';
import { trimmed } from '../../operation/checks';
import type { Field } from '../../operation/types';

const onlyOfApp = { show: { '/messagesOf': ['app'] } };

/** Filters of a list of messages, by the names of the service. */
export const messageFilters: Field[] = [
	{
		displayName: 'Categories',
		name: 'categories',
		type: 'multiOptions',
		options: [
			{ name: 'Action', value: 'action', description: 'Notes of CometChat, e.g. about an edit' },
			{ name: 'Custom', value: 'custom' },
			{ name: 'Message', value: 'message', description: 'Texts and files' },
		],
		default: [],
		description: 'List only messages of these categories',
		routing: { send: { type: 'query', property: 'categories' } },
	},
	{
		displayName: 'Conversation ID',
		name: 'conversationId',
		type: 'string',
		displayOptions: onlyOfApp,
		default: '',
		placeholder: 'e.g. group_support-team',
		description: 'List only messages of this conversation',
		routing: { send: { type: 'query', property: 'conversationId' } },
		check: trimmed,
	},
	{
		displayName: 'Has Attachments',
		name: 'hasAttachments',
		type: 'boolean',
		default: true,
		description: 'Whether to list only messages with attachments',
		routing: { send: { type: 'query', property: 'hasAttachments' } },
	},
	{
		displayName: 'Has Links',
		name: 'hasLinks',
		type: 'boolean',
		default: true,
		description: 'Whether to list only messages with links',
		routing: { send: { type: 'query', property: 'hasLinks' } },
	},
	{
		displayName: 'Has Mentions',
		name: 'hasMentions',
		type: 'boolean',
		default: true,
		description: 'Whether to list only messages that mention someone',
		routing: { send: { type: 'query', property: 'hasMentions' } },
	},
	{
		displayName: 'Has Reactions',
		name: 'hasReactions',
		type: 'boolean',
		default: true,
		description: 'Whether to list only messages that someone reacted to',
		routing: { send: { type: 'query', property: 'hasReactions' } },
	},
	{
		displayName: 'Hide Deleted',
		name: 'hideDeleted',
		type: 'boolean',
		displayOptions: onlyOfApp,
		default: true,
		description: 'Whether to leave out deleted messages',
		routing: { send: { type: 'query', property: 'hideDeleted' } },
	},
	{
		displayName: 'Hide Replies',
		name: 'hideReplies',
		type: 'boolean',
		default: true,
		description: 'Whether to leave out replies in threads',
		routing: { send: { type: 'query', property: 'hideReplies' } },
	},
	{
		displayName: 'Only Deleted',
		name: 'onlyDeleted',
		type: 'boolean',
		displayOptions: onlyOfApp,
		default: true,
		description: 'Whether to list only deleted messages',
		routing: { send: { type: 'query', property: 'onlyDeleted' } },
	},
	{
		displayName: 'Receiver Type',
		name: 'receiverType',
		type: 'options',
		displayOptions: onlyOfApp,
		options: [
			{ name: 'Group', value: 'group' },
			{ name: 'User', value: 'user' },
		],
		default: 'group',
		description: 'List only messages to groups or to users',
		routing: { send: { type: 'query', property: 'receiverType' } },
	},
	{
		...pickedUser('Sender', 'sender', 'List only messages of this user'),
		routing: { send: { type: 'query', property: 'sender' } },
	},
	{
		displayName: 'Sent After',
		name: 'fromTimestamp',
		type: 'dateTime',
		default: '',
		description:
			"List only messages sent from this time on. Uses the workflow's time zone unless the value has an offset. Unix seconds work too.",
		routing: { send: { type: 'query', property: 'fromTimestamp' } },
	},
	{
		displayName: 'Sent Before',
		name: 'toTimestamp',
		type: 'dateTime',
		default: '',
		description:
			"List only messages sent up to this time. Uses the workflow's time zone unless the value has an offset. Unix seconds work too.",
		// The service ignores it alone
		routing: {
			send: { type: 'query', property: 'toTimestamp' },
			request: { qs: { fromTimestamp: 0 } },
		},
	},
	{
		displayName: 'Tags',
		name: 'tags',
		type: 'string',
		typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Tag' },
		default: [],
		placeholder: 'e.g. starred',
		description: 'List only messages that have these tags. A comma separates tags too.',
		routing: { send: { type: 'query', property: 'tags' } },
	},
	{
		displayName: 'Text Contains',
		name: 'searchKey',
		type: 'string',
		default: '',
		placeholder: 'e.g. invoice',
		description: 'List only messages whose text contains this one',
		routing: { send: { type: 'query', property: 'searchKey' } },
	},
	{
		displayName: 'Types',
		name: 'types',
		type: 'string',
		typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Type' },
		default: [],
		placeholder: 'e.g. text',
		description:
			'List only messages of these types: text, image, file, audio, video, or a custom type',
		routing: { send: { type: 'query', property: 'types' } },
	},
	{
		displayName: 'With Tags',
		name: 'withTags',
		type: 'boolean',
		default: true,
		description: 'Whether to return the tags of each message',
		routing: { send: { type: 'query', property: 'withTags' } },
	},
];
