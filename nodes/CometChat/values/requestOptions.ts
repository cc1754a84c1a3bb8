import type { IDataObject } from 'n8n-workflow';

import type { RequestSettings } from '../transport/attempt';
import { DEFAULT_MAX_ATTEMPTS, DEFAULT_MAX_WAIT, type RetryPolicy } from '../transport/retry';
import { objectOf } from '../transport/json';
import { toInteger } from './convert';
import type { Source } from './source';

/**
 * Time limit of one attempt, in milliseconds, where the user sets none: a fifth of the default of
 * 'Max Wait (Seconds)', so that an attempt without a response leaves room for others.
 */
const DEFAULT_TIMEOUT = 60_000;

/** Longest timer of Node.js, in milliseconds. */
const MAX_TIMEOUT = 2 ** 31 - 1;

/**
 * What the user set under n8n's "Request Options".
 *
 * @throws n8n's own errors, for an expression that cannot be resolved
 */
function requestOptionsOf({ read }: Source): IDataObject {
	return objectOf(read('requestOptions', {}));
}

/**
 * Of n8n's "Request Options", what is about one request.
 *
 * @throws InputError
 */
export function requestSettingsOf(source: Source): RequestSettings {
	const { timeout, allowUnauthorizedCerts } = requestOptionsOf(source);
	return {
		// n8n takes 0 as "not set"
		timeout: timeout ? toInteger('Timeout', timeout, 1, MAX_TIMEOUT) : DEFAULT_TIMEOUT,
		...(allowUnauthorizedCerts ? { skipSslCertificateValidation: true } : {}),
	};
}

/** The options 'Max Attempts' and 'Max Wait (Seconds)', checked, as a policy. */
export function retryPolicyOf(options: unknown): RetryPolicy {
	const { maxTries = DEFAULT_MAX_ATTEMPTS, maxWait = DEFAULT_MAX_WAIT } = objectOf(options);
	return { maxAttempts: Number(maxTries), maxWaitMs: 1000 * Number(maxWait) };
}
