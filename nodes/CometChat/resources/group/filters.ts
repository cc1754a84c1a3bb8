import { createTextField } from '../../fields/body';
import {
	createBooleanFilter,
	createTrueOnlyFilter,
	createSearchInFilter,
	createTagsFilter,
} from '../../fields/filters';
import type { Field } from '../../types';

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
		description: 'List only groups updated after this time, or before it. Unix seconds work too.',
	},
	{
		displayName: 'Updated At Direction',
		name: 'affix',
		needs: ['updatedAt'],
		type: 'options',
		options: [
			{ name: 'After', value: 'append' },
			{ name: 'Before', value: 'prepend' },
		],
		default: 'append',
		description: 'Whether to list groups updated after or before Updated At',
	},
	createBooleanFilter(
		'With Tags',
		'withTags',
		'Whether to list only groups that have tags. CometChat may add the tags to the response instead.',
	),
];

/**
 * Filters for the polling trigger. Excludes filters for time and membership, which the trigger sets
 * itself.
 */
export const pollingGroupFilters = groupFilters.filter(
	({ name }) => !['affix', 'hasJoined', 'updatedAt'].includes(name),
);
