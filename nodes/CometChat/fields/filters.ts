import type { INodePropertyOptions } from 'n8n-workflow';

import { createTextsField } from './commonFields';
import { omitFalse } from './fieldChecks';
import { createLowerCaseOptions } from './options';
import type { ValidatingConverter, Field } from '../types';

/**
 * Adds the default `routing` and `whenEmpty` to filters. By default, a filter is sent as the query parameter of the same
 * name. An empty fixed value is refused, because ignoring it would return more items than the user wants.
 */
const completeFilters = (fields: Field[]): Field[] =>
	fields.map((field) => ({
		routing: { send: { type: 'query', property: field.name } },
		whenEmpty: 'refuseFixed',
		...field,
	}));

/**
 * Returns an expression for the time a number of days ago, as the default of a time filter. A fixed date would become
 * outdated.
 */
export const createDaysAgoExpression = (days: number): string =>
	`={{ $now.minus({ days: ${days} }) }}`;

/** Creates the "Filters" collection of a list operation. Filters without `routing` are sent as query parameters. */
export const createFiltersField = (
	thing: string,
	options: Field[],
	check?: ValidatingConverter,
): Field => ({
	displayName: 'Filters',
	name: 'filters',
	type: 'collection',
	placeholder: 'Add Filter',
	default: {},
	description: `List only ${thing}s that match all filters`,
	options: completeFilters(options),
	check,
});

/** Creates a boolean filter that is sent to CometChat for `true` and for `false`. */
export const createTrueOrFalseFilter = (
	displayName: string,
	name: string,
	description: string,
): Field => ({
	displayName,
	name,
	type: 'boolean',
	default: true,
	description,
});

/** Creates a boolean filter that CometChat applies only if the value is `true`. */
export const createTrueOnlyFilter = (
	displayName: string,
	name: string,
	description: string,
): Field => ({
	...createTrueOrFalseFilter(displayName, name, `${description}. Turned off, it has no effect.`),
	check: omitFalse,
});

export const createTagsFilter = (thingsThat: string, example: string): Field =>
	createTextsField('Tags', 'tags', example, `List only ${thingsThat} have these tags`);

/** Creates the filter that selects which fields to search. */
export const createSearchInFilter = (options: INodePropertyOptions[]): Field => ({
	displayName: 'Search In',
	name: 'searchIn',
	needs: ['searchKey'],
	type: 'multiOptions',
	options,
	default: [],
	description: 'Fields to search. By default, both.',
});

/** Creates a filter for online or offline users. */
export const createOnlineStatusFilter = (users: string): Field => ({
	displayName: 'Status',
	name: 'status',
	type: 'options',
	options: createLowerCaseOptions('Available', 'Offline'),
	default: 'available',
	description: `List only ${users} who are online or only those who are offline`,
});
