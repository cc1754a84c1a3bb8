import {
	createBooleanFilter,
	createTrueOnlyFilter,
	createSearchInFilter,
	createStatusFilter,
	createTagsFilter,
} from '../../fields/filters';
import type { Field } from '../../description/types';

/** Filters of a list of users, named as CometChat names them. */
export const userFilters: Field[] = [
	{
		displayName: 'Name or UID Starts With',
		name: 'searchKey',
		type: 'string',
		default: '',
		placeholder: 'e.g. and',
		description:
			'List only users whose name or UID starts with this text. To search inside names, e.g. for a family name, add a Filter node.',
		routing: { send: { type: 'query', property: 'searchKey' } },
	},
	createTrueOnlyFilter(
		'Only Deactivated',
		'onlyDeactivated',
		'Whether to list only deactivated users',
	),
	{
		displayName: 'Roles',
		name: 'roles',
		type: 'string',
		typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Role' },
		default: [],
		placeholder: 'e.g. default',
		description: 'List only users with one of these roles',
		routing: { send: { type: 'query', property: 'roles' } },
	},
	createSearchInFilter([
		{ name: 'Name', value: 'name' },
		{ name: 'UID', value: 'uid' },
	]),
	createStatusFilter('users'),
	createTagsFilter('users who', 'customer'),
	createTrueOnlyFilter(
		'With Deactivated',
		'withDeactivated',
		'Whether to include deactivated users',
	),
	createBooleanFilter('With Tags', 'withTags', 'Whether to return the tags of each user'),
];
