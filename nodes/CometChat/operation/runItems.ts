import type {
	IDataObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	INodeExecutionData,
	NodeParameterValueType,
} from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { MAX_IN_FLIGHT, StoppedError } from '../transport/limiter';
import { isObject } from '../transport/types';
import { resolveReferences } from './itemReference';
import type { Template } from './runItem';
import { runItem } from './runItem';
import type { ItemContext, Run } from './runState';
import { startRun } from './runState';
import type { Operation } from './types';

/** What n8n gives an operation that runs itself. */
export type CustomOperation = (this: IExecuteFunctions) => Promise<INodeExecutionData[][]>;

/**
 * Items under way at once, and how few make it start more. More than requests, so that one which
 * waits leaves no gap; and many at a time, which takes less of the processor than one by one.
 */
const MAX_STARTED = 3 * MAX_IN_FLIGHT;
const REFILL_BELOW = MAX_STARTED / 2;

/**
 * Runs a declared operation without n8n's RoutingNode. That one starts every item at once and
 * evaluates each parameter's expression three times per item; here it is once, and only when the
 * item's turn has come. What is done for an item is the same: the operation's pagination function.
 */
export function runItems(operation: Operation): CustomOperation {
	const paginate = runItem(operation);
	return async function () {
		const { batch, options } = requestOptions(this);
		const results: INodeExecutionData[][] = [];
		const readParameter = parameterReader(this);
		const run = startRun(this);
		await run.during(async () => {
			await forEachItem(this, run, batch, async (itemIndex) => {
				const template: Template = { options, preSend: [], postReceive: [] };
				const context = itemContext(this, itemIndex, readParameter);
				results[itemIndex] = await paginate.call(context, template);
			});
		});
		return [results.flat()];
	};
}

function hasExpression(value: unknown): boolean {
	if (typeof value === 'string') return value.startsWith('=');
	return typeof value === 'object' && value !== null && Object.values(value).some(hasExpression);
}

type ReadParameter = (
	name: string,
	itemIndex: number,
	fallback?: NodeParameterValueType,
) => unknown;

/** Reads parameters; one without an expression is the same for all items, and read once. */
function parameterReader(context: IExecuteFunctions): ReadParameter {
	const { parameters } = context.getNode();
	const constants = new Map<string, unknown>();
	let last: { itemIndex: number; json: IDataObject } | undefined;
	const jsonOf = (itemIndex: number) => {
		if (last?.itemIndex !== itemIndex) {
			const { $json } = context.getWorkflowDataProxy(itemIndex);
			last = { itemIndex, json: $json as IDataObject };
		}
		return last.json;
	};
	return (name, itemIndex, fallback) => {
		if (constants.has(name)) return constants.get(name);
		const isConstant = !hasExpression(parameters[name]);
		if (!isConstant) {
			const resolved = resolveReferences(parameters[name], () => jsonOf(itemIndex));
			if (resolved !== undefined) return resolved;
		}
		// The operation checks its values itself
		const value = context.getNodeParameter(name, itemIndex, fallback, { skipValidation: true });
		if (isConstant) constants.set(name, value);
		return value;
	};
}

/** The run's context as an operation on one item sees it. */
function itemContext(
	context: IExecuteFunctions,
	itemIndex: number,
	readParameter: ReadParameter,
): ItemContext {
	return Object.create(context, {
		getItemIndex: { value: () => itemIndex },
		getNodeParameter: {
			value: (name: string, fallback?: NodeParameterValueType) =>
				readParameter(name, itemIndex, fallback),
		},
		getCredentials: { value: (type: string) => context.getCredentials(type, itemIndex) },
		continueOnFail: { value: () => context.continueOnFail() },
	});
}

interface Batch {
	size: number;
	/** Milliseconds between two batches */
	interval: number;
}

/** n8n's "Batching": so many items, then a pause. */
function batchOf({ batching }: IDataObject): Batch {
	const batch = isObject(batching) && isObject(batching.batch) ? batching.batch : {};
	return {
		size: Math.max(1, Number(batch.batchSize) || 1),
		interval: Math.max(0, Number(batch.batchInterval) || 0),
	};
}

/** n8n's request options, which it takes from the first item. */
function requestOptions(context: IExecuteFunctions): {
	batch: Batch;
	options: Template['options'];
} {
	const given = context.getNodeParameter('requestOptions', 0, {}) as IDataObject;
	const { timeout, proxy, allowUnauthorizedCerts } = given;
	const options: Partial<IHttpRequestOptions> = {
		// n8n takes 0 as "not set"
		...(timeout ? { timeout: timeout as number } : {}),
		...(proxy ? { proxy: proxyOf(context, String(proxy)) } : {}),
		...(allowUnauthorizedCerts ? { skipSslCertificateValidation: true } : {}),
	};
	return { batch: batchOf(given), options: options as Template['options'] };
}

/** @throws NodeOperationError when it is not an address with host and port */
function proxyOf(context: IExecuteFunctions, text: string): IHttpRequestOptions['proxy'] {
	try {
		const { hostname, port, protocol, username, password } = new URL(text);
		if (hostname === '') throw new Error('There is no host');
		const auth = {
			username: decodeURIComponent(username),
			password: decodeURIComponent(password),
		};
		return {
			host: hostname,
			port: Number(port) || (protocol === 'https:' ? 443 : 80),
			protocol: protocol.replace(':', ''),
			...(username ? { auth } : {}),
		};
	} catch {
		throw new NodeOperationError(context.getNode(), 'The proxy is not valid');
	}
}

/**
 * Does the work for every item in order, so many at once. After the first that fails no other is
 * started.
 *
 * @throws what the work for the first of the failed items threw
 */
async function forEachItem(
	context: IExecuteFunctions,
	{ limiter }: Run,
	{ size, interval }: Batch,
	work: (itemIndex: number) => Promise<void>,
): Promise<void> {
	const count = context.getInputData().length;
	const failures: Array<{ itemIndex: number; error: unknown }> = [];
	let underWay = 0;
	let wake = () => {};
	const oneDone = () =>
		new Promise<void>((resolve) => {
			wake = resolve;
		});
	const start = async (itemIndex: number) => {
		underWay++;
		try {
			await work(itemIndex);
		} catch (error) {
			failures.push({ itemIndex, error });
		}
		underWay--;
		wake();
	};
	const pause = async (itemIndex: number) => {
		if (interval === 0 || itemIndex === 0 || itemIndex % size !== 0) return;
		await limiter.wait(interval).catch((error: unknown) => {
			if (!(error instanceof StoppedError)) throw error;
		});
	};
	for (let itemIndex = 0; itemIndex < count && !limiter.stopped; itemIndex++) {
		await pause(itemIndex);
		if (underWay >= MAX_STARTED) while (underWay > REFILL_BELOW) await oneDone();
		if (!limiter.stopped) void start(itemIndex);
	}
	while (underWay > 0) await oneDone();
	failures.sort((a, b) => a.itemIndex - b.itemIndex);
	if (failures.length > 0) throw failures[0].error;
}
