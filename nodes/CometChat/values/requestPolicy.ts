import type { Connection } from '../transport/attempt';
import {
	DEFAULT_MAX_ATTEMPTS,
	DEFAULT_MAX_WAIT_SECONDS,
	DEFAULT_TIMEOUT_MS,
	type RetryPolicy,
} from '../transport/retry';
import { asObject } from '../transport/json';

/** Time limit of an attempt, and retries. */
export interface RequestPolicy extends Pick<Connection, 'timeoutMs'> {
	retry: RetryPolicy;
}

/** @param requestOptions validated value of 'Request Options' */
export function readRequestPolicy(requestOptions: unknown): RequestPolicy {
	const {
		timeout = DEFAULT_TIMEOUT_MS,
		maxTries = DEFAULT_MAX_ATTEMPTS,
		maxWait = DEFAULT_MAX_WAIT_SECONDS,
	} = asObject(requestOptions);
	return {
		timeoutMs: Number(timeout),
		retry: { maxAttempts: Number(maxTries), maxWaitMs: 1000 * Number(maxWait) },
	};
}
