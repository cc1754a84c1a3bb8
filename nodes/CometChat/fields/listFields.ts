import type { INodeProperties } from 'n8n-workflow';

import { MAX_PER_PAGE } from '../results/list';
import type { Field, Many } from '../description/types';
import { optionsOf } from './options';

export const returnAll: INodeProperties = {
	displayName: 'Return All',
	name: 'returnAll',
	type: 'boolean',
	default: false,
	description: 'Whether to return all results or only up to a given limit',
};

export const limit: INodeProperties = {
	displayName: 'Limit',
	name: 'limit',
	type: 'number',
	typeOptions: { minValue: 1 },
	displayOptions: { show: { returnAll: [false] } },
	default: 50,
	description: 'Max number of results to return',
};

const perPage: INodeProperties = {
	displayName: 'Per Page',
	name: 'perPage',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: MAX_PER_PAGE },
	default: MAX_PER_PAGE,
	description: 'Results per request, from 1 to 1000. By default the Limit, up to 1000.',
	routing: { send: { type: 'query', property: 'perPage' } },
};

const page: INodeProperties = {
	displayName: 'Page',
	name: 'page',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 1_000_000 },
	default: 1,
	description: 'First page to fetch, counted from 1. Per Page sets how many results a page has.',
	routing: { send: { type: 'query', property: 'page' } },
};

/** Options of both message lists. The size of a page has a name of its own in each. */
const messageOptions = (size: INodeProperties): Field =>
	optionsOf('Which messages to include, and how many to fetch per request', [
		{
			displayName: 'Include Actions',
			name: 'includeActions',
			type: 'boolean',
			default: false,
			description:
				'Whether to return notes such as "Mira joined", which CometChat stores as messages of the category action',
		},
		{
			displayName: 'Include Deleted',
			name: 'includeDeleted',
			type: 'boolean',
			default: false,
			description: 'Whether to return deleted messages, which no longer have a text',
		},
		size,
	]);

/** The "Options" collection of a list, by the way it is fetched. */
export const listOptions: Partial<Record<Many['by'], Field>> = {
	page: optionsOf('Where the list starts, and how many results to fetch per request', [
		page,
		perPage,
	]),
	pageOrCursor: messageOptions(perPage),
	time: messageOptions({
		...perPage,
		routing: { send: { type: 'query', property: 'limit' } },
	}),
};
