import { asObjectOrEmpty } from '../helpers/json';
import {
	DEFAULT_MAX_ATTEMPTS,
	DEFAULT_MAX_WAIT_SECONDS,
	DEFAULT_TIMEOUT_MS,
	type RequestPolicy,
} from '../transport/retry';

/** @param requestOptions checked value of 'Request Options'. Missing options get their defaults. */
export function toRequestPolicy(requestOptions: unknown): RequestPolicy {
	const {
		timeout = DEFAULT_TIMEOUT_MS,
		maxTries = DEFAULT_MAX_ATTEMPTS,
		maxWait = DEFAULT_MAX_WAIT_SECONDS,
	} = asObjectOrEmpty(requestOptions);
	return {
		timeoutMs: Number(timeout),
		maxAttempts: Number(maxTries),
		maxWaitMs: 1000 * Number(maxWait),
	};
}
