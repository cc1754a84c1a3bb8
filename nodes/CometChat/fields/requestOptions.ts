import type { Field } from '../types';
import {
	DEFAULT_MAX_ATTEMPTS,
	DEFAULT_MAX_WAIT_SECONDS,
	DEFAULT_TIMEOUT_MS,
} from '../transport/retry';

/** Maximum delay of a Node.js timer, in milliseconds. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

/**
 * Options for retries and the timeout, on the node's Settings tab. Descriptions are short, because n8n's AI builder
 * reads them once per operation.
 */
export const requestOptionsField: Field = {
	displayName: 'Request Options',
	name: 'requestOptions',
	type: 'collection',
	isNodeSetting: true,
	placeholder: 'Add Option',
	default: {},
	description: 'Retries and timeout',
	options: [
		{
			displayName: 'Longest Retry Wait (Seconds)',
			name: 'maxWait',
			type: 'number',
			typeOptions: { minValue: 0, maxValue: 86400 },
			default: DEFAULT_MAX_WAIT_SECONDS,
			description: 'Time limit for retries',
		},
		{
			displayName: 'Retry Attempts',
			name: 'maxTries',
			type: 'number',
			typeOptions: { minValue: 1, maxValue: 100 },
			default: DEFAULT_MAX_ATTEMPTS,
			description: 'Attempts, including the first',
		},
		{
			displayName: 'Timeout',
			name: 'timeout',
			type: 'number',
			typeOptions: { minValue: 1, maxValue: MAX_TIMEOUT_MS },
			default: DEFAULT_TIMEOUT_MS,
			description: 'Milliseconds per attempt',
		},
	],
};
