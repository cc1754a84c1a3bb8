import type { IDataObject } from 'n8n-workflow';

import { InputError } from '../errors/inputError';
import type { RequestSettings } from '../transport/attempt';
import { DEFAULT_MAX_ATTEMPTS, DEFAULT_MAX_WAIT, type RetryPolicy } from '../transport/retry';
import { objectOf } from '../transport/json';
import { isEmpty, toInteger } from './convert';
import { hasExpression, type Source } from './source';

/**
 * Time limit of one attempt, in milliseconds, where the user sets none: a fifth of the default of
 * 'Max Wait (Seconds)', so that an attempt without a response leaves room for others.
 */
const DEFAULT_TIMEOUT = 60_000;

/** Longest timer of Node.js, in milliseconds. */
const MAX_TIMEOUT = 2 ** 31 - 1;

/** n8n's "Batching": so many items, then a pause. */
export interface Batching {
	size: number;
	/** Milliseconds between two batches */
	interval: number;
}

/**
 * What the user set under n8n's "Request Options".
 *
 * @throws n8n's own errors, for an expression that cannot be resolved
 */
function requestOptionsOf({ read }: Source): IDataObject {
	return objectOf(read('requestOptions', {}));
}

/** Of n8n's "Request Options", what is about a whole run; none when they cannot be read: each item says so. */
export function batchingOf(source: Source): Batching {
	try {
		const { batching } = requestOptionsOf(source);
		const { batchSize, batchInterval } = objectOf(objectOf(batching).batch);
		return {
			size: Math.max(1, Number(batchSize) || 1),
			interval: Math.max(0, Number(batchInterval) || 0),
		};
	} catch {
		return { size: 1, interval: 0 };
	}
}

/**
 * Of n8n's "Request Options", what is about one request.
 *
 * @throws InputError
 */
export function requestSettingsOf(source: Source): RequestSettings {
	const { timeout, proxy, allowUnauthorizedCerts } = requestOptionsOf(source);
	const saved = objectOf(source.parameters.requestOptions).proxy;
	if (hasExpression(saved) && isEmpty(proxy)) {
		throw new InputError('Proxy', 'is empty: its expression gave nothing', 'Check the expression.');
	}
	return {
		// n8n takes 0 as "not set"
		timeout: timeout ? toInteger('Timeout', timeout, 1, MAX_TIMEOUT) : DEFAULT_TIMEOUT,
		...(proxy ? { proxy: proxyOf(String(proxy)) } : {}),
		...(allowUnauthorizedCerts ? { skipSslCertificateValidation: true } : {}),
	};
}

function proxyOf(text: string): RequestSettings['proxy'] {
	const proxy = parsedProxy(text);
	if (proxy !== undefined && !['http', 'https'].includes(proxy.protocol)) {
		throw new InputError('Proxy', 'must start with http:// or https://');
	}
	if (proxy !== undefined) return proxy;
	throw new InputError(
		'Proxy',
		'is not the address of a proxy',
		'Enter one such as http://user:password@proxy.example.com:3128.',
	);
}

/** @returns undefined when it is not an address with a host */
function parsedProxy(text: string): (RequestSettings['proxy'] & { protocol: string }) | undefined {
	try {
		const { hostname, port, protocol, username, password } = new URL(text);
		const auth = {
			username: decodeURIComponent(username),
			password: decodeURIComponent(password),
		};
		const proxy = {
			host: hostname,
			port: Number(port) || (protocol === 'https:' ? 443 : 80),
			protocol: protocol.replace(':', ''),
			...(username ? { auth } : {}),
		};
		return hostname === '' ? undefined : proxy;
	} catch {
		return undefined;
	}
}

/** The options 'Max Attempts' and 'Max Wait (Seconds)', checked, as a policy. */
export function retryPolicyOf(options: unknown): RetryPolicy {
	const { maxTries = DEFAULT_MAX_ATTEMPTS, maxWait = DEFAULT_MAX_WAIT } = objectOf(options);
	return { maxAttempts: Number(maxTries), maxWaitMs: 1000 * Number(maxWait) };
}
