import type { DropdownOptionWithRelations, Field } from '../../types';

/** Creates a choice that sends the field to sort by and the sort order. */
const createChoice = (
	name: string,
	value: string,
	sortBy: string,
	sortOrder: 'asc' | 'desc',
): DropdownOptionWithRelations => ({
	name,
	value,
	routing: { request: { qs: { sortBy, sortOrder } } },
});

const orderField: Field = {
	displayName: 'Order',
	name: 'order',
	type: 'options',
	options: [
		createChoice('GUID: A to Z', 'guidAscending', 'guid', 'asc'),
		createChoice('GUID: Z to A', 'guidDescending', 'guid', 'desc'),
		createChoice('Name: A to Z', 'nameAscending', 'name', 'asc'),
		createChoice('Name: Z to A', 'nameDescending', 'name', 'desc'),
		createChoice('Newest First', 'newestFirst', 'createdAt', 'desc'),
		createChoice('Oldest First', 'oldestFirst', 'createdAt', 'asc'),
	],
	default: 'newestFirst',
	description: 'Order of the groups. The newest groups are those created last.',
};

export const sortCollectionField: Field = {
	displayName: 'Sort',
	name: 'sort',
	type: 'collection',
	placeholder: 'Add Sort Rule',
	default: {},
	description: 'Order of the groups. By default, CometChat decides.',
	options: [orderField],
};
