import {
	createTrueOrFalseFilter,
	createTagsFilter,
	createTrueOnlyFilter,
} from '../../fields/filters';
import { createLowerCaseOptions } from '../../fields/options';
import type { Field } from '../../types';

/** Filters for conversations, named like CometChat's query parameters. */
export const conversationFilterFields: Field[] = [
	createTagsFilter('conversations that', 'urgent'),
	{
		displayName: 'Type',
		name: 'conversationType',
		type: 'options',
		options: createLowerCaseOptions('Group', 'User'),
		default: 'user',
		description: 'List only conversations in groups or with users',
	},
	createTrueOnlyFilter(
		'Unread',
		'unread',
		'Whether to list only conversations with messages that the user has not read',
	),
	createTrueOrFalseFilter(
		'With Tags',
		'withTags',
		'Whether to return the tags of each conversation',
	),
];
