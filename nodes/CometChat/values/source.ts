import type {
	IDataObject,
	IExecuteFunctions,
	INodeParameters,
	NodeParameterValueType,
} from 'n8n-workflow';

import { InputError } from '../errors/inputError';
import type { RetryPolicy } from '../transport/retry';
import { DEFAULT_MAX_ATTEMPTS, DEFAULT_MAX_WAIT } from '../transport/retry';
import type { RequestSettings } from '../transport/attempt';
import { objectOf } from '../transport/types';
import { resolveReferences } from './itemReference';
import type { Field, Values } from '../description/types';
import { isEmpty, toInteger } from './convert';

/** Whether a parameter, as it was saved, holds an expression anywhere. */
export function hasExpression(saved: unknown): boolean {
	if (typeof saved === 'string') return saved.startsWith('=');
	return typeof saved === 'object' && saved !== null && Object.values(saved).some(hasExpression);
}

/** Where the parameters come from. */
export interface Source {
	/** Reads a parameter, expressions resolved; the fallback is for one that is not there */
	read: (name: string, fallback: NodeParameterValueType) => unknown;
	/** The parameters as they were saved, with their expressions */
	parameters: INodeParameters;
	/** IANA name of the zone of dates without an offset: the workflow's */
	timezone: string;
}

/** The parameters of what is run for one item, or for none: a trigger. */
export function sourceOf(context: {
	getNodeParameter(name: string, fallback: NodeParameterValueType): unknown;
	getNode(): { parameters: INodeParameters };
	getTimezone(): string;
}): Source {
	return {
		read: (name, fallback) => context.getNodeParameter(name, fallback),
		parameters: context.getNode().parameters,
		timezone: context.getTimezone(),
	};
}

/**
 * The parameters of the items of a run; one without an expression is the same for all, and read once.
 * n8n's RoutingNode would evaluate each expression three times for each item.
 */
export function sourcesOf(context: IExecuteFunctions): (itemIndex: number) => Source {
	const { parameters } = context.getNode();
	const timezone = context.getTimezone();
	const items = context.getInputData();
	const constants = new Map<string, unknown>();
	const read = (itemIndex: number, name: string, fallback: NodeParameterValueType): unknown => {
		if (constants.has(name)) return constants.get(name);
		const isConstant = !hasExpression(parameters[name]);
		if (!isConstant) {
			// What `$json` is; n8n's own proxy for it is slow
			const resolved = resolveReferences(parameters[name], () => items[itemIndex].json);
			if (resolved !== undefined) return resolved;
		}
		// The operation checks its values itself
		const value = context.getNodeParameter(name, itemIndex, fallback, { skipValidation: true });
		if (isConstant) constants.set(name, value);
		return value;
	};
	return (itemIndex) => ({
		read: (name, fallback) => read(itemIndex, name, fallback),
		parameters,
		timezone,
	});
}

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

/**
 * Whether n8n shows a field. Its names are of fields that come before it; a name that is not there is
 * that of the resource or the operation, which is right already.
 */
export function isShown({ displayOptions }: Field, values: Values): boolean {
	const { show = {}, hide = {} } = displayOptions ?? {};
	const matches = ([path, allowed]: [string, unknown]) => {
		const name = path.replace(/^\//, '');
		return !(name in values) || (Array.isArray(allowed) && allowed.includes(values[name]));
	};
	const isHidden = ([path, hidden]: [string, unknown]) =>
		path.replace(/^\//, '') in values && matches([path, hidden]);
	return Object.entries(show).every(matches) && !Object.entries(hide).some(isHidden);
}

/**
 * Labels of the fields that n8n shows, by their names, those in collections too; that of a field in the
 * node's Settings says so.
 *
 * @param values left out for all fields
 */
export function labelsOf(fields: readonly Field[], values: Values = {}): Record<string, string> {
	const all = fields
		.filter((field) => isShown(field, values))
		.flatMap((field) => [
			field,
			...(field.options ?? [])
				.filter((option) => 'type' in option)
				.filter((option) => isShown(option, values)),
		]);
	return Object.fromEntries(
		all.map(({ name, displayName, isNodeSetting }) => [
			name,
			isNodeSetting ? `Settings → ${displayName}` : displayName,
		]),
	);
}
