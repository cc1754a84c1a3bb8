import type { INodeProperties } from 'n8n-workflow';

import { DEFAULT_MAX_TRIES, DEFAULT_MAX_WAIT } from '../transport/retry';

/** Options on how long a request is tried when the service limits or fails. */
export const patienceOptions: INodeProperties[] = [
	{
		displayName: 'Max Tries',
		name: 'maxTries',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 100 },
		default: DEFAULT_MAX_TRIES,
		description:
			'How often a request is sent in all, from 1 to 100, when CometChat limits the rate or does not answer',
	},
	{
		displayName: 'Max Wait',
		name: 'maxWait',
		type: 'number',
		typeOptions: { minValue: 0, maxValue: 86400 },
		default: DEFAULT_MAX_WAIT,
		description:
			'How many seconds one request may spend on waits and further tries, from 0 to 86400. A rate limit that lasts longer ends it at once.',
	},
];

/** The "Options" collection of operations that have no options of their own. */
export const patience: INodeProperties = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add Option',
	default: {},
	description: 'How the request is sent',
	options: patienceOptions,
};
