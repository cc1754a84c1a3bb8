import { createTextField } from '../../fields/body';
import {
	createBooleanFilter,
	createTrueOnlyFilter,
	createSearchInFilter,
	createTagsFilter,
} from '../../fields/filters';
import type { Field } from '../../description/types';

import { GROUP_TYPES } from './fields';

/** Filters for groups, named like CometChat's query parameters. */
export const groupFilters: Field[] = [
	{
		...createTrueOnlyFilter(
			'Has Joined',
			'hasJoined',
			'Whether to list only groups that the user in On Behalf Of has joined',
		),
		needs: ['onBehalfOf'],
	},
	createTextField(
		'Name or GUID Contains',
		'searchKey',
		'team',
		'List only groups whose name or GUID contains this text',
	),
	createSearchInFilter([
		{ name: 'GUID', value: 'guid' },
		{ name: 'Name', value: 'name' },
	]),
	createTagsFilter('groups that', 'support'),
	{
		displayName: 'Type',
		name: 'type',
		type: 'options',
		excludes: ['types'],
		options: GROUP_TYPES,
		default: 'public',
		description: 'List only groups of this type',
	},
	{
		displayName: 'Types',
		name: 'types',
		type: 'multiOptions',
		options: GROUP_TYPES,
		default: [],
		description: 'List only groups that have one of these types',
	},
	{
		displayName: 'Updated At',
		name: 'updatedAt',
		type: 'dateTime',
		default: '',
		description:
			"List only groups updated after this time, or before this time if Updated At Direction is Before. Without an offset, the workflow's time zone applies. Unix seconds work too.",
	},
	{
		displayName: 'Updated At Direction',
		name: 'affix',
		needs: ['updatedAt'],
		type: 'options',
		options: [
			{
				name: 'After',
				value: 'append',
				description: 'Groups updated after the time in Updated At',
			},
			{
				name: 'Before',
				value: 'prepend',
				description: 'Groups updated before the time in Updated At',
			},
		],
		default: 'append',
		description: 'Whether to list groups updated after or before the time in Updated At',
	},
	createBooleanFilter(
		'With Tags',
		'withTags',
		'Whether to list only groups that have tags. Some versions of CometChat do not filter, but add the tags to the response.',
	),
];

/**
 * Filters for the polling trigger. Excludes filters for time and membership, which the trigger sets
 * itself.
 */
export const pollingGroupFilters = groupFilters.filter(
	({ name }) => !['affix', 'hasJoined', 'updatedAt'].includes(name),
);
