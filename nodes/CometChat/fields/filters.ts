import type { INodePropertyOptions } from 'n8n-workflow';

import { omitFalse } from './fieldChecks';
import type { Check, Field } from '../description/types';

/** The "Filters" collection of a list. */
export const createFiltersField = (thing: string, options: Field[], check?: Check): Field => ({
	displayName: 'Filters',
	name: 'filters',
	type: 'collection',
	placeholder: 'Add Filter',
	default: {},
	description: `Which ${thing}s to list: those that match all filters`,
	options,
	check,
});

/** Boolean filter, named as CometChat names it. */
export const createBooleanFilter = (
	displayName: string,
	name: string,
	description: string,
): Field => ({
	displayName,
	name,
	type: 'boolean',
	default: true,
	description,
	routing: { send: { type: 'query', property: name } },
});

/** Boolean filter that CometChat ignores unless it is `true`. */
export const createTrueOnlyFilter = (
	displayName: string,
	name: string,
	description: string,
): Field => ({
	...createBooleanFilter(displayName, name, `${description}. Turned off, it has no effect.`),
	check: omitFalse,
});

export const createTagsFilter = (things: string, example: string): Field => ({
	displayName: 'Tags',
	name: 'tags',
	type: 'string',
	typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Tag' },
	default: [],
	placeholder: `e.g. ${example}`,
	description: `List only ${things} have these tags`,
	routing: { send: { type: 'query', property: 'tags' } },
});

/** Names of the fields to search. */
export const createSearchInFilter = (options: INodePropertyOptions[]): Field => ({
	displayName: 'Search In',
	name: 'searchIn',
	type: 'multiOptions',
	options,
	default: [],
	description: 'Fields to search. Leave empty to search both.',
	routing: { send: { type: 'query', property: 'searchIn' } },
});

/** Filter by whether users are online. */
export const createStatusFilter = (users: string): Field => ({
	displayName: 'Status',
	name: 'status',
	type: 'options',
	options: [
		{ name: 'Available', value: 'available' },
		{ name: 'Offline', value: 'offline' },
	],
	default: 'available',
	description: `List only ${users} who are online or only those who are offline`,
	routing: { send: { type: 'query', property: 'status' } },
});
