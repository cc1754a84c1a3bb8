import { createTextField } from '../../fields/commonFields';
import {
	createTrueOrFalseFilter,
	createDaysAgoExpression,
	createTrueOnlyFilter,
	createSearchInFilter,
	createTagsFilter,
} from '../../fields/filters';
import type { Field } from '../../types';

import { GROUP_TYPE_FILTER_OPTIONS } from './fields';

/**
 * Creates a filter for the time of a group's last change. CometChat accepts one time per request.
 *
 * @param affix CometChat's word for the direction in time
 * @param days age of the default time, in days
 */
const createUpdatedFilter = (
	displayName: string,
	name: string,
	direction: 'after' | 'before',
	affix: 'append' | 'prepend',
	days: number,
): Field => ({
	displayName,
	name,
	type: 'dateTime',
	default: createDaysAgoExpression(days),
	description: `List only groups changed ${direction} this time. Messages don't count as changes. A date alone means the start of that day. Unix seconds work too.`,
	routing: { send: { type: 'query', property: 'updatedAt' }, request: { qs: { affix } } },
});

/** Filters for groups. Most filters have the same names as CometChat's query parameters. */
export const groupFilterFields: Field[] = [
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
		options: GROUP_TYPE_FILTER_OPTIONS,
		default: 'public',
		description: 'List only groups of this type. For several types, use Types.',
	},
	{
		displayName: 'Types',
		name: 'types',
		type: 'multiOptions',
		options: GROUP_TYPE_FILTER_OPTIONS,
		default: [],
		description: 'List only groups that have one of these types',
	},
	{
		...createUpdatedFilter('Updated After', 'updatedAfter', 'after', 'append', 7),
		excludes: ['updatedBefore'],
	},
	createUpdatedFilter('Updated Before', 'updatedBefore', 'before', 'prepend', 30),
	createTrueOrFalseFilter(
		'With Tags',
		'withTags',
		'Whether to list only groups that have tags. CometChat may add the tags to the response instead.',
	),
];

/**
 * Names of the filters that the polling trigger offers. Filters for membership and for the last change aren't listed,
 * because the trigger sets them itself. A filter whose default changes with time can't be listed, because the trigger
 * starts anew whenever a filter's value changes.
 */
const POLLING_FILTER_NAMES = ['searchKey', 'searchIn', 'tags', 'type', 'types', 'withTags'];

export const pollingGroupFilterFields = groupFilterFields.filter(({ name }) =>
	POLLING_FILTER_NAMES.includes(name),
);
