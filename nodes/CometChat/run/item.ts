import type { ICredentialDataDecryptedObject, INodeExecutionData } from 'n8n-workflow';

import type { Operation, Result, Values } from '../description/types';
import { batches } from '../results/batches';
import { byCursor, byQueue } from '../results/byCursor';
import { byPage } from '../results/byPage';
import type { Call } from '../results/call';
import { one } from '../results/one';
import { outcomesOf } from '../results/outcomes';
import { CREDENTIAL } from '../transport/attempt';
import { Client } from '../transport/client';
import { StoppedError } from '../transport/limiter';
import { redactor, type Redact } from '../transport/redact';
import { readRequest } from '../values/request';
import { requestPolicyOf } from '../values/requestPolicy';
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
		const read = readRequest(operation, item.source);
		const { values } = read;
		results.values = values;
		const request = item.complete?.(read) ?? read.request;
		const targets = targetsOf(operation, values);
		if (targets.length > 0) turn = run.turnOf(targets);
		const client = new Client({
			context: item.context,
			credentials: await credentialsOf(item),
			kind: operation.kind,
			limiter: run.limiter,
			...requestPolicyOf(values.requestOptions),
			order: item.index,
		});
		results.redact = client.redact;
		const outcomes = run.outcomes.of(item.index);
		const call: Call = { request, values, client, outcomes, hints: run.hints };
		if (turn?.ready) await turn.ready;
		for await (const some of execute(operation, call)) results.add(some);
		const items = results.all();
		if (values.output === 'fields') run.noteFields([values.fields].flat().map(String), items);
		return items;
	} catch (error) {
		results.redact ??= await redactOf(item);
		return results.failed(error, run);
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
	const run = new Run(outcomesOf(attempts), item.context.getExecutionCancelSignal());
	const executing = executeItem(run, operation, item).then((items) =>
		isTool(item.context) ? [...items, ...run.hintItems] : items,
	);
	return await executing.catch(nothingWhenStopped).finally(() => run.limiter.stop());
}

function nothingWhenStopped(error: unknown): INodeExecutionData[] {
	if (error instanceof StoppedError) return [];
	throw error;
}

async function credentialsOf({ context, index }: Item): Promise<ICredentialDataDecryptedObject> {
	return await context.getCredentials(CREDENTIAL, index);
}

function execute({ response }: Operation, call: Call): AsyncGenerator<Result[]> {
	if ('one' in response) return one(response, call);
	if ('each' in response) return batches(response, call);
	if (response.by === 'queue') return byQueue(response, call);
	return response.by.startsWith('page') ? byPage(response, call) : byCursor(response, call);
}

/**
 * Targets that an item changes, e.g. a group and a user. An item that only reads has no targets. UIDs
 * and GUIDs are compared in lower case, as the service does.
 */
function targetsOf({ inOrder = [] }: Operation, values: Values): string[] {
	if (typeof inOrder === 'function') return inOrder(values);
	const lists = inOrder.map((name) => [values[name]].flat().map((id) => String(id).toLowerCase()));
	// Each entry of the first list with each entry of the other lists
	const [first = [], ...others] = lists;
	return others.reduce(
		(targets, list) => targets.flatMap((target) => list.map((id) => `${target} ${id}`)),
		first,
	);
}

/** Removes the API key from errors that were thrown before the client was created. */
async function redactOf(item: Item): Promise<Redact> {
	const { apiKey } = await credentialsOf(item).catch((): ICredentialDataDecryptedObject => ({}));
	return redactor(apiKey);
}
