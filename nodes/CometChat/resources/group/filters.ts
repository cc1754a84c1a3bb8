import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

const TYPE_OPTIONS: INodePropertyOptions[] = [
	{ name: 'Password', value: 'password' },
	{ name: 'Private', value: 'private' },
	{ name: 'Protected', value: 'protected' },
	{ name: 'Public', value: 'public' },
];

/** Filters of a list of groups, by the names of the service. */
export const groupFilters: INodeProperties[] = [
	{
		displayName: 'Affix',
		name: 'affix',
		type: 'options',
		options: [
			{ name: 'Append', value: 'append', description: 'Groups after the time in Updated At' },
			{ name: 'Prepend', value: 'prepend', description: 'Groups before the time in Updated At' },
		],
		default: 'append',
		description: 'Whether to list the groups after or before the time in Updated At',
	},
	{
		displayName: 'Has Joined',
		name: 'hasJoined',
		type: 'boolean',
		default: true,
		description: 'Whether to list only groups that the user in On Behalf Of has joined',
	},
	{
		displayName: 'Search In',
		name: 'searchIn',
		type: 'multiOptions',
		options: [
			{ name: 'GUID', value: 'guid' },
			{ name: 'Name', value: 'name' },
		],
		default: [],
		description: 'Where to look for Search Key; both when left empty',
	},
	{
		displayName: 'Search Key',
		name: 'searchKey',
		type: 'string',
		default: '',
		placeholder: 'e.g. team',
		description: 'Text to look for in the name or the GUID, at most 1000 characters',
	},
	{
		displayName: 'Tags',
		name: 'tags',
		type: 'string',
		typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Tag' },
		default: [],
		placeholder: 'e.g. support',
		description: 'List only groups that have these tags; a comma separates tags too',
	},
	{
		displayName: 'Type',
		name: 'type',
		type: 'options',
		options: TYPE_OPTIONS,
		default: 'public',
		description: 'List only groups of this type',
	},
	{
		displayName: 'Types',
		name: 'types',
		type: 'multiOptions',
		options: TYPE_OPTIONS,
		default: [],
		description: 'List only groups of one of these types',
	},
	{
		displayName: 'Updated At',
		name: 'updatedAt',
		type: 'dateTime',
		default: '',
		description:
			'List only groups after this time (or before it, see Affix): a date, or Unix seconds. Without an offset the time zone of the workflow counts.',
	},
	{
		displayName: 'With Tags',
		name: 'withTags',
		type: 'boolean',
		default: true,
		description: 'Whether to list groups that have tags',
	},
];

/** Filters that say which groups, and not when: those that a trigger can have. */
export const matchingFilters = groupFilters.filter(
	({ name }) => !['affix', 'hasJoined', 'updatedAt'].includes(name),
);
