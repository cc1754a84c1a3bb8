import type { INodeProperties } from 'n8n-workflow';

import type { Field } from '../description/types';
import { DEFAULT_MAX_ATTEMPTS, DEFAULT_MAX_WAIT } from '../transport/retry';

/** Options on how long a request is attempted when the service limits or fails. */
export const retryOptions: INodeProperties[] = [
	{
		displayName: 'Max Attempts',
		name: 'maxTries',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 100 },
		default: DEFAULT_MAX_ATTEMPTS,
		description:
			'Maximum number of attempts per request when CometChat fails to respond, from 1 to 100. Waiting for the rate limit does not count.',
	},
	{
		displayName: 'Max Wait (Seconds)',
		name: 'maxWait',
		type: 'number',
		typeOptions: { minValue: 0, maxValue: 86400 },
		default: DEFAULT_MAX_WAIT,
		description:
			'Longest wait for a request that CometChat limits or fails, from 0 to 86400. If CometChat asks for a longer wait, the request stops right away.',
	},
];

/** The collection of operations that have options of their own. */
export const optionsWith = (description: string, ...own: Field[]): Field => ({
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add Option',
	default: {},
	description,
	options: [...own, ...retryOptions],
});

/** The collection of operations that have no other options: beside n8n's own "Retry On Fail". */
export const options: INodeProperties = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	isNodeSetting: true,
	placeholder: 'Add Option',
	default: {},
	description: 'How long a request is tried when CometChat limits or fails it',
	options: retryOptions,
};
