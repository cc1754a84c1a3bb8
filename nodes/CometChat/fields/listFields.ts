import type { INodeProperties } from 'n8n-workflow';

import { MAX_PER_PAGE } from '../helpers/limits';
import type { Field } from '../types';
import { createOptionsCollection } from './options';

export const returnAllField: INodeProperties = {
	displayName: 'Return All',
	name: 'returnAll',
	type: 'boolean',
	default: false,
	description: 'Whether to return all results or only up to a given limit',
};

export const limitField: INodeProperties = {
	displayName: 'Limit',
	name: 'limit',
	type: 'number',
	typeOptions: { minValue: 1 },
	displayOptions: { show: { returnAll: [false] } },
	default: 50,
	description: 'Max number of results to return',
};

const perPage: Field = {
	displayName: 'Per Page',
	name: 'perPage',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: MAX_PER_PAGE },
	// CometChat's default for its parameter `perPage`
	default: 100,
	description: 'Results per request. By default the Limit, or 1,000 with Return All.',
	routing: { send: { type: 'query', property: 'perPage' } },
};

const page: INodeProperties = {
	displayName: 'Page',
	name: 'page',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 1_000_000 },
	displayOptions: { show: { '/returnAll': [false] } },
	default: 1,
	description: 'First page to fetch',
	routing: { send: { type: 'query', property: 'page' } },
};

const order: Field = {
	displayName: 'Order',
	name: 'order',
	type: 'options',
	options: [
		{ name: 'Newest First', value: 'newestFirst' },
		{ name: 'Oldest First', value: 'oldestFirst' },
	],
	default: 'newestFirst',
	description: 'Which messages come first. A limit leaves out the others.',
};

const includeThreadStartField: Field = {
	displayName: 'Include First Message',
	name: 'includeFirst',
	type: 'boolean',
	default: false,
	description: 'Whether to return the message that starts the thread, before its replies',
};

/** Creates the "Options" collection for a message list. */
const createMessageOptionsCollection = (description: string, others: Field[]): Field =>
	createOptionsCollection(description, [
		{
			displayName: 'Include Calls and System Messages',
			name: 'includeActions',
			type: 'boolean',
			default: false,
			description: 'Whether to return calls, and system messages such as "Mira joined"',
		},
		{
			displayName: 'Include Deleted',
			name: 'includeDeleted',
			type: 'boolean',
			default: false,
			description: 'Whether to return deleted messages, which no longer have any text',
		},
		...others,
	]);

/** "Options" collection for a list that is fetched by page number. */
export const numberedPagesOptionsField = createOptionsCollection(
	'Page to start from, and number of items per page',
	[page, perPage],
);

/** "Options" collection for the replies in a thread. */
export const replyListOptionsField = createMessageOptionsCollection(
	'Messages to include, and page size',
	[includeThreadStartField, perPage],
);

/** "Options" collection for the messages of a group, a user or the app. */
export const messageListOptionsField = createMessageOptionsCollection(
	'Messages to include, order, and page size',
	[order, { ...perPage, routing: { send: { type: 'query', property: 'limit' } } }],
);
