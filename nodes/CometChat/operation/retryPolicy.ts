import type { RetryPolicy } from '../transport/retry';
import { DEFAULT_MAX_ATTEMPTS, DEFAULT_MAX_WAIT } from '../transport/retry';
import { isObject } from '../transport/types';

/** The options 'Max Attempts' and 'Max Wait', checked, as a policy. */
export function retryPolicyOf(options: unknown): RetryPolicy {
	const { maxTries = DEFAULT_MAX_ATTEMPTS, maxWait = DEFAULT_MAX_WAIT } = isObject(options)
		? options
		: {};
	return { maxAttempts: Number(maxTries), maxWaitMs: 1000 * Number(maxWait) };
}
