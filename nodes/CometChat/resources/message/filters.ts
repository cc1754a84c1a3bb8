import { createUsersField } from '../../fields/body';
import { createBooleanFilter, createTagsFilter } from '../../fields/filters';
import { createUserPicker } from '../../fields/userAndGroup';
import { trimText } from '../../fields/fieldChecks';
import type { Field } from '../../description/types';

const onlyOfApp = { show: { '/messagesOf': ['app'] } };

const notOfApp = { show: { '/messagesOf': ['group', 'user'] } };

/** Filters of a list of messages, named as CometChat names them. */
export const messageFilters: Field[] = [
	{
		displayName: 'Attachment Types',
		name: 'attachmentTypes',
		type: 'multiOptions',
		options: [
			{ name: 'Audio', value: 'audio' },
			{ name: 'File', value: 'file' },
			{ name: 'Image', value: 'image' },
			{ name: 'Video', value: 'video' },
		],
		default: [],
		description: 'List only messages with attachments of these types',
		routing: { send: { type: 'query', property: 'attachmentTypes' } },
	},
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
		check: trimText,
	},
	createBooleanFilter(
		'Has Attachments',
		'hasAttachments',
		'Whether to list only messages with attachments',
	),
	createBooleanFilter('Has Links', 'hasLinks', 'Whether to list only messages with links'),
	createBooleanFilter(
		'Has Mentions',
		'hasMentions',
		'Whether to list only messages that mention someone',
	),
	createBooleanFilter(
		'Has Reactions',
		'hasReactions',
		'Whether to list only messages that someone reacted to',
	),
	{
		...createBooleanFilter('Hide Deleted', 'hideDeleted', 'Whether to leave out deleted messages'),
		displayOptions: onlyOfApp,
	},
	createBooleanFilter('Hide Replies', 'hideReplies', 'Whether to leave out replies in threads'),
	{
		...createUsersField(
			'Mentioned User Names or IDs',
			'mentionedUids',
			'List only messages that mention one of these users',
		),
		routing: { send: { type: 'query', property: 'mentionedUids' } },
	},
	{
		...createBooleanFilter(
			'My Mentions Only',
			'myMentionsOnly',
			'Whether to list only messages that mention the user in On Behalf Of',
		),
		displayOptions: notOfApp,
	},
	{
		...createBooleanFilter('Only Deleted', 'onlyDeleted', 'Whether to list only deleted messages'),
		displayOptions: onlyOfApp,
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
		...createUserPicker('Sender', 'sender', 'List only messages of this user'),
		routing: { send: { type: 'query', property: 'sender' } },
	},
	{
		displayName: 'Sent After',
		name: 'fromTimestamp',
		type: 'dateTime',
		// Stays relative to each execution, unlike a fixed date
		default: '={{ $now.minus({ days: 7 }) }}',
		description:
			"List only messages sent from this time on. Without an offset, the workflow's time zone applies. Unix seconds work too.",
		routing: { send: { type: 'query', property: 'fromTimestamp' } },
	},
	{
		displayName: 'Sent Before',
		name: 'toTimestamp',
		type: 'dateTime',
		default: '',
		description:
			"List only messages sent up to this time. Without an offset, the workflow's time zone applies. Unix seconds work too.",
		// CometChat ignores toTimestamp without fromTimestamp
		routing: {
			send: { type: 'query', property: 'toTimestamp' },
			request: { qs: { fromTimestamp: 0 } },
		},
	},
	createTagsFilter('messages that', 'starred'),
	{
		displayName: 'Text Contains',
		name: 'searchKey',
		type: 'string',
		default: '',
		placeholder: 'e.g. invoice',
		description: 'List only messages whose text contains this text',
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
		...createBooleanFilter(
			'Unread',
			'unread',
			'Whether to list only messages that the user in On Behalf Of has not read',
		),
		displayOptions: notOfApp,
	},
	createBooleanFilter('With Tags', 'withTags', 'Whether to return the tags of each message'),
];
