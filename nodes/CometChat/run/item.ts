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
 * Carries an operation out for one item: reads its fields, sends its requests, and returns what came
 * of them, paired with the item and without the API key. On "Continue" what was fetched before a
 * failure is returned, and one item that says why the rest is missing.
 *
 * @throws n8n's errors, with the item's index; StoppedError when the run was stopped
 */
export async function executeItem(
	run: Run,
	operation: Operation,
	item: Item,
): Promise<INodeExecutionData[]> {
	const results = new ItemResults(operation, item);
	let turn: Turn | undefined;
	try {
		// Before anything is awaited, so that changes of one target take their turns in order
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
 * The same, in a run of its own.
 *
 * @param attempts one object for all of n8n's attempts at the run
 * @returns nothing when the user stopped the execution: n8n says so, and would call an error a failure
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
 * What an item changes; nothing for one that only reads. The service does not tell capitals in a UID
 * or GUID from small letters.
 */
function targetsOf({ inOrder = [] }: Operation, values: Values): string[] {
	if (typeof inOrder === 'function') return inOrder(values);
	const lists = inOrder.map((name) => [values[name]].flat().map((id) => String(id).toLowerCase()));
	// Each entry of one with each entry of the others
	const [first = [], ...others] = lists;
	return others.reduce(
		(targets, list) => targets.flatMap((target) => list.map((id) => `${target} ${id}`)),
		first,
	);
}

/** For an error that came before the client was made. */
async function redactOf(item: Item): Promise<Redact> {
	const { apiKey } = await credentialsOf(item).catch((): ICredentialDataDecryptedObject => ({}));
	return redactor(apiKey);
}
