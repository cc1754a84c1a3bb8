import type { Field } from '../description/types';
import {
	DEFAULT_MAX_ATTEMPTS,
	DEFAULT_MAX_WAIT_SECONDS,
	DEFAULT_TIMEOUT_MS,
} from '../transport/retry';

/** Longest timer of Node.js, in milliseconds. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

/** Time limit and retries of each request, in the node's Settings. */
export const requestOptions: Field = {
	displayName: 'Request Options',
	name: 'requestOptions',
	type: 'collection',
	isNodeSetting: true,
	placeholder: 'Add Option',
	default: {},
	description: 'Retries and time limit',
	options: [
		{
			displayName: 'Longest Retry Wait (Seconds)',
			name: 'maxWait',
			type: 'number',
			typeOptions: { minValue: 0, maxValue: 86400 },
			default: DEFAULT_MAX_WAIT_SECONDS,
			description: 'Maximum wait for the rate limit or a retry',
		},
		{
			displayName: 'Retry Attempts',
			name: 'maxTries',
			type: 'number',
			typeOptions: { minValue: 1, maxValue: 100 },
			default: DEFAULT_MAX_ATTEMPTS,
			description: 'Maximum attempts per request, including the first',
		},
		{
			displayName: 'Timeout',
			name: 'timeout',
			type: 'number',
			typeOptions: { minValue: 1, maxValue: MAX_TIMEOUT_MS },
			default: DEFAULT_TIMEOUT_MS,
			description: 'Maximum time per attempt, in milliseconds',
		},
	],
};
