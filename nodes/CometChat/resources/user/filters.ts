import { createLoadedMultiOptionsField, createTextField } from '../../fields/commonFields';
import {
	createTrueOrFalseFilter,
	createTrueOnlyFilter,
	createSearchInFilter,
	createOnlineStatusFilter,
	createTagsFilter,
} from '../../fields/filters';
import { asObjectOrEmpty, valueToText } from '../../helpers/json';
import type { Field, ParameterValues } from '../../types';

/** Filters for users, named like CometChat's query parameters. */
export const userFilterFields: Field[] = [
	createTextField(
		'Name or UID Starts With',
		'searchKey',
		'and',
		'List only users whose name or UID starts with this text, not by email. To search inside names, e.g. for a family name, add a Filter node.',
	),
	{
		...createTrueOnlyFilter(
			'Only Deactivated',
			'onlyDeactivated',
			'Whether to list only deactivated users',
		),
		excludes: ['withDeactivated'],
	},
	createLoadedMultiOptionsField(
		'Role Names or IDs',
		'roles',
		'getRoles',
		'List only users with one of these roles',
	),
	createSearchInFilter([
		{ name: 'Name', value: 'name' },
		{ name: 'UID', value: 'uid' },
	]),
	createOnlineStatusFilter('users'),
	createTagsFilter('users who', 'customer'),
	createTrueOnlyFilter(
		'With Deactivated',
		'withDeactivated',
		'Whether to include deactivated users',
	),
	createTrueOrFalseFilter('With Tags', 'withTags', 'Whether to return the tags of each user'),
];

/** Returns a hint if a search for an email address found nothing. */
export function hintWhyEmailSearchFoundNothing(
	{ filters }: ParameterValues,
	count: number,
): string | undefined {
	const { searchKey } = asObjectOrEmpty(filters);
	if (count > 0 || !/.@./.test(valueToText(searchKey))) return undefined;
	return "CometChat can't search users by email. List all users, and compare the column email in a Filter node.";
}
