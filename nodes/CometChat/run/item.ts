import type { ICredentialDataDecryptedObject, INodeExecutionData } from 'n8n-workflow';

import type { Operation, Result, Values } from '../description/types';
import { sendBatches } from '../results/sendBatches';
import { listByCursor, listByQueue } from '../results/listByCursor';
import { listByPage } from '../results/listByPage';
import type { OperationCall } from '../results/call';
import { sendSingle } from '../results/sendSingle';
import { getOutcomes } from '../results/outcomes';
import { CREDENTIAL_NAME } from '../transport/attempt';
import { Client } from '../transport/client';
import { StoppedError } from '../transport/limiter';
import { createRedactor, type Redact } from '../transport/redact';
import { readRequest } from '../values/request';
import { readRequestPolicy } from '../values/requestPolicy';
import { ItemResults } from './itemResults';
import { Run, isTool, type Item, type Turn } from './run';

/**
 * Executes an operation for one item: reads its fields and sends its requests.
 *
 * @returns output items, paired with the item and without the API key. On "Continue" a failure is the
 * last output item
 * @throws n8n's errors, with the item's index; StoppedError if the run was stopped
 */
export async function executeItem(
	run: Run,
	operation: Operation,
	item: Item,
): Promise<INodeExecutionData[]> {
	const results = new ItemResults(operation, item);
	let turn: Turn | undefined;
	try {
		// No await comes before this, so that changes of a target take their turns in the order of the items
		const read = readRequest(operation, item.reader);
		const { values } = read;
		results.values = values;
		const request = item.completeRequest?.(read) ?? read.request;
		const targets = listTargets(operation, values);
		if (targets.length > 0) turn = run.takeTurn(targets);
		const credentials = await getCredentials(item);
		const client = new Client({
			context: item.context,
			credentials,
			rateLimit: operation.rateLimit,
			limiter: run.limiter,
			...readRequestPolicy(values.requestOptions),
			order: item.index,
		});
		results.redact = createRedactor(credentials.apiKey);
		const outcomes = run.outcomes.of(item.index);
		const call: OperationCall = { request, values, client, outcomes, hints: run.hints };
		if (turn?.ready) await turn.ready;
		for await (const some of startOperation(operation, call)) results.add(some);
		const items = results.getItems();
		if (values.output === 'fields') run.recordFields([values.fields].flat().map(String), items);
		return items;
	} catch (error) {
		results.redact ??= await getRedactor(item);
		return results.handleError(error, run);
	} finally {
		turn?.end();
	}
}

/**
 * Executes an operation for one item in its own run.
 *
 * @param attempts object that n8n keeps for all of its attempts at the run
 * @returns no items if the user canceled the execution: n8n would report an error as a failure
 */
export async function executeSingleItem(
	operation: Operation,
	item: Item,
	attempts: object,
): Promise<INodeExecutionData[]> {
	const run = new Run(getOutcomes(attempts), item.context.getExecutionCancelSignal());
	const executing = executeItem(run, operation, item).then((items) =>
		isTool(item.context) ? [...items, ...run.hintItems] : items,
	);
	return await executing.catch(nothingWhenStopped).finally(() => run.limiter.stop());
}

function nothingWhenStopped(error: unknown): INodeExecutionData[] {
	if (error instanceof StoppedError) return [];
	throw error;
}

async function getCredentials({ context, index }: Item): Promise<ICredentialDataDecryptedObject> {
	return await context.getCredentials(CREDENTIAL_NAME, index);
}

function startOperation({ response }: Operation, call: OperationCall): AsyncGenerator<Result[]> {
	if ('one' in response) return sendSingle(response, call);
	if ('each' in response) return sendBatches(response, call);
	if (response.by === 'queue') return listByQueue(response, call);
	return response.by.startsWith('page') ? listByPage(response, call) : listByCursor(response, call);
}

/**
 * Targets that an item changes, e.g. a group and a user. An item that only reads has no targets. UIDs
 * and GUIDs are compared in lower case, as the service does.
 */
function listTargets({ sequentialBy = [] }: Operation, values: Values): string[] {
	if (typeof sequentialBy === 'function') return sequentialBy(values);
	const lists = sequentialBy.map((name) =>
		[values[name]].flat().map((id) => String(id).toLowerCase()),
	);
	// Each entry of the first list with each entry of the other lists
	const [first = [], ...others] = lists;
	return others.reduce(
		(targets, list) => targets.flatMap((target) => list.map((id) => `${target} ${id}`)),
		first,
	);
}

/** Removes the API key from errors that were thrown before the client was created. */
async function getRedactor(item: Item): Promise<Redact> {
	const { apiKey } = await getCredentials(item).catch((): ICredentialDataDecryptedObject => ({}));
	return createRedactor(apiKey);
}
