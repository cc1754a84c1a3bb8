import type { INodePropertyOptions } from 'n8n-workflow';

import { onlyTrue } from './checks';
import type { Check, Field } from '../description/types';

/** The "Filters" collection of a list. */
export const filtersOf = (thing: string, options: Field[], check?: Check): Field => ({
	displayName: 'Filters',
	name: 'filters',
	type: 'collection',
	placeholder: 'Add Filter',
	default: {},
	description: `Which ${thing}s to list. A ${thing} must match all filters.`,
	options,
	check,
});

/** A filter that is on or off, by the name of the service. */
export const flag = (displayName: string, name: string, description: string): Field => ({
	displayName,
	name,
	type: 'boolean',
	default: true,
	description,
	routing: { send: { type: 'query', property: name } },
});

/** A filter that the service knows only turned on. */
export const onlyOn = (displayName: string, name: string, description: string): Field => ({
	...flag(displayName, name, `${description}. Turned off, it has no effect.`),
	check: onlyTrue,
});

export const tagsFilter = (things: string, example: string): Field => ({
	displayName: 'Tags',
	name: 'tags',
	type: 'string',
	typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Tag' },
	default: [],
	placeholder: `e.g. ${example}`,
	description: `List only ${things} have these tags. A comma separates tags too.`,
	routing: { send: { type: 'query', property: 'tags' } },
});

/** Where to search for 'Search Key'. */
export const searchIn = (options: INodePropertyOptions[]): Field => ({
	displayName: 'Search In',
	name: 'searchIn',
	type: 'multiOptions',
	options,
	default: [],
	description: 'Where to search for Search Key. If you leave it empty, in both.',
	routing: { send: { type: 'query', property: 'searchIn' } },
});

/** Whether users are online. */
export const statusOf = (users: string): Field => ({
	displayName: 'Status',
	name: 'status',
	type: 'options',
	options: [
		{ name: 'Available', value: 'available' },
		{ name: 'Offline', value: 'offline' },
	],
	default: 'available',
	description: `List only ${users} who are online or offline`,
	routing: { send: { type: 'query', property: 'status' } },
});
