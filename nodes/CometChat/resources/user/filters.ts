import { flag, onlyOn, searchIn, statusFilter, tagsFilter } from '../../fields/filters';
import type { Field } from '../../description/types';

/** Filters of a list of users, by the names of the service. */
export const userFilters: Field[] = [
	onlyOn('Only Deactivated', 'onlyDeactivated', 'Whether to list only users who were deactivated'),
	{
		displayName: 'Roles',
		name: 'roles',
		type: 'string',
		typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Role' },
		default: [],
		placeholder: 'e.g. default',
		description: 'List only users with one of these roles. A comma separates roles too.',
		routing: { send: { type: 'query', property: 'roles' } },
	},
	searchIn([
		{ name: 'Name', value: 'name' },
		{ name: 'UID', value: 'uid' },
	]),
	{
		displayName: 'Search Key',
		name: 'searchKey',
		type: 'string',
		default: '',
		placeholder: 'e.g. and',
		description: 'List only users whose name or UID starts with this text, up to 1000 characters',
		routing: { send: { type: 'query', property: 'searchKey' } },
	},
	statusFilter('users'),
	tagsFilter('users who', 'customer'),
	onlyOn('With Deactivated', 'withDeactivated', 'Whether to list users who were deactivated too'),
	flag('With Tags', 'withTags', 'Whether to return the tags of each user'),
];
