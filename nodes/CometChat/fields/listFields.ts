import type { INodeProperties } from 'n8n-workflow';

import { MAX_PER_PAGE } from '../results/list';
import type { Many } from '../description/types';
import { options, retryOptions } from './retryOptions';

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
	description:
		'Results per request, from 1 to 1000. If you leave it out, it is Limit, but at most 1000.',
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

const pageOptions: INodeProperties = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	isNodeSetting: true,
	placeholder: 'Add Option',
	default: {},
	description: 'Where the list starts, and how it is fetched',
	options: [...retryOptions, page, perPage],
};

/** Both lists of messages have the same ones beside their size. */
const messageOptions = (size: INodeProperties): INodeProperties => ({
	...pageOptions,
	description: 'What the list has, and how it is fetched',
	options: [
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
			description: 'Whether to return deleted messages, which have no text any more',
		},
		...retryOptions,
		size,
	],
});

/** The "Options" collection of a list, by how it comes. */
export const listOptions: Record<Many['by'], INodeProperties> = {
	page: pageOptions,
	pageOrCursor: messageOptions(perPage),
	time: messageOptions({
		...perPage,
		routing: { send: { type: 'query', property: 'limit' } },
	}),
	cursor: options,
	queue: options,
};
