import { createTextField, createTextsField, createUserListField } from '../../fields/commonFields';
import {
	createTrueOrFalseFilter,
	createDaysAgoExpression,
	createTagsFilter,
} from '../../fields/filters';
import { checkNotBrokenId } from '../../fields/fieldChecks';
import { createUserPicker } from '../../fields/userAndGroup';
import { createLowerCaseOptions } from '../../fields/options';
import type { Field } from '../../types';

const shownForWholeApp = { show: { '/messagesOf': ['app'] } };

const shownForConversation = { show: { '/messagesOf': ['group', 'user'] } };

const PLAN_NOTE = "May have no effect without CometChat's Conversation & Advanced Search";

/** Creates a filter that only some CometChat plans support. The filter's description says so. */
const createPlanDependentFilter = (displayName: string, name: string, description: string): Field =>
	createTrueOrFalseFilter(displayName, name, `${description}. ${PLAN_NOTE}.`);

/** Filters for messages, named like CometChat's query parameters. */
export const messageFilterFields: Field[] = [
	{
		displayName: 'Attachment Types',
		name: 'attachmentTypes',
		type: 'multiOptions',
		options: createLowerCaseOptions('Audio', 'File', 'Image', 'Video'),
		default: [],
		description: `List only messages with attachments of these types. ${PLAN_NOTE}.`,
	},
	{
		displayName: 'Categories',
		name: 'categories',
		type: 'multiOptions',
		options: [
			{
				name: 'Action',
				value: 'action',
				description: 'System messages from CometChat, e.g. about an edit',
			},
			...createLowerCaseOptions('Agentic'),
			{ name: 'Call', value: 'call', description: 'Audio and video calls' },
			...createLowerCaseOptions('Card', 'Custom'),
			{
				name: 'Interactive',
				value: 'interactive',
				description: 'Forms and other messages with buttons or fields',
			},
			{ name: 'Message', value: 'message', description: 'Text and files' },
		],
		default: [],
		description: 'List only messages of these categories',
	},
	{
		...createTextField(
			'Conversation ID',
			'conversationId',
			'group_support-team',
			'List only messages of this conversation',
		),
		displayOptions: shownForWholeApp,
		check: checkNotBrokenId,
	},
	createPlanDependentFilter(
		'Has Attachments',
		'hasAttachments',
		'Whether to list only messages with attachments',
	),
	createPlanDependentFilter('Has Links', 'hasLinks', 'Whether to list only messages with links'),
	createPlanDependentFilter(
		'Has Mentions',
		'hasMentions',
		'Whether to list only messages that mention someone',
	),
	createPlanDependentFilter(
		'Has Reactions',
		'hasReactions',
		'Whether to list only messages that someone reacted to',
	),
	{
		...createTrueOrFalseFilter(
			'Hide Deleted',
			'hideDeleted',
			'Whether to exclude deleted messages',
		),
		excludes: ['onlyDeleted', 'includeDeleted'],
		displayOptions: shownForWholeApp,
	},
	createTrueOrFalseFilter('Hide Replies', 'hideReplies', 'Whether to exclude replies in threads'),
	createUserListField(
		'Mentioned User Names or IDs',
		'mentionedUids',
		'List only messages that mention one of these users',
	),
	{
		...createTrueOrFalseFilter(
			'My Mentions Only',
			'myMentionsOnly',
			'Whether to list only messages that mention the user in On Behalf Of',
		),
		displayOptions: shownForConversation,
		needs: ['onBehalfOf'],
	},
	{
		...createTrueOrFalseFilter(
			'Only Deleted',
			'onlyDeleted',
			'Whether to list only deleted messages',
		),
		displayOptions: shownForWholeApp,
	},
	{
		displayName: 'Receiver Type',
		name: 'receiverType',
		type: 'options',
		displayOptions: shownForWholeApp,
		options: createLowerCaseOptions('Group', 'User'),
		default: 'group',
		description: 'List only messages to groups or to users',
	},
	createUserPicker('Sender', 'sender', 'List only messages from this user'),
	{
		displayName: 'Sent After',
		name: 'fromTimestamp',
		type: 'dateTime',
		default: createDaysAgoExpression(7),
		description:
			'List only messages sent from this time on. A date alone means the start of that day. Unix seconds work too.',
	},
	{
		displayName: 'Sent Before',
		name: 'toTimestamp',
		type: 'dateTime',
		default: createDaysAgoExpression(30),
		description:
			'List only messages sent up to this time. A date alone means the end of that day. Unix seconds work too.',
		isEndOfRange: true,
		// CometChat ignores toTimestamp unless fromTimestamp is also sent
		routing: {
			send: { type: 'query', property: 'toTimestamp' },
			request: { qs: { fromTimestamp: 0 } },
		},
	},
	createTagsFilter('messages that', 'starred'),
	createTextField(
		'Text Contains',
		'searchKey',
		'invoice',
		'List only messages whose text contains this text',
	),
	createTextsField(
		'Types',
		'types',
		'text',
		'List only messages of these types: text, image, file, audio, video, or a custom type',
	),
	{
		...createTrueOrFalseFilter(
			'Unread',
			'unread',
			'Whether to list only messages that the user in On Behalf Of has not read',
		),
		displayOptions: shownForConversation,
		needs: ['onBehalfOf'],
	},
	createTrueOrFalseFilter('With Tags', 'withTags', 'Whether to return the tags of each message'),
];
