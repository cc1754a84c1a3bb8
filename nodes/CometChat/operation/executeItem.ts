import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IExecuteFunctions,
	IExecutePaginationFunctions,
	INodeExecutionData,
} from 'n8n-workflow';

import { DescribedError } from '../errors/describedError';
import { toNodeError } from '../errors/nodeError';
import { named } from '../errors/serviceWords';
import { countText, wholeText } from '../errors/words';
import { StoppedError } from '../transport/limiter';
import type { Redact } from '../transport/redact';
import { CREDENTIAL, send } from '../transport/send';
import type { RestRequest } from '../transport/types';
import { batches } from './batches';
import { byCursor } from './byCursor';
import { byPage } from './byPage';
import { outcomesOf } from './idempotency';
import { one } from './one';
import type { Source } from './parameters';
import { labelsOf, requestSettingsOf, retryPolicyOf } from './parameters';
import { readRequest } from './request';
import type { Turn } from './run';
import { Run } from './run';
import type { Call, ItemRequest, Operation, Result, Values } from './types';

/** An item as n8n hands it over. */
export interface Item {
	/** Counted from 0 */
	index: number;
	context: IExecuteFunctions | IExecutePaginationFunctions;
	source: Source;
	/** Adds what no field holds to its request */
	complete?: (read: ItemRequest) => RestRequest;
}

/** Entries of a list that failed are named in an error up to so many. */
const MAX_NAMED = 10;

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
		turn = request.method === 'GET' ? undefined : run.turnOf(targetOf(request));
		const credentials = await credentialsOf(item);
		results.redact = run.redactorFor(credentials.apiKey);
		const { kind } = operation;
		const connection = {
			context: item.context,
			credentials,
			kind,
			settings: requestSettingsOf(item.source),
			limiter: run.limiter,
			retry: retryPolicyOf(values.options),
		};
		const call: Call = {
			request,
			values,
			send: async (toSend, read, part) => {
				const order = item.index + part / 1e8;
				const sending = async () => await send({ ...connection, order }, toSend, read);
				if (toSend.method === 'GET') return await sending();
				return await run.outcomes.once(item.index, part, sending);
			},
		};
		await turn?.ready;
		for await (const some of execute(operation, call)) results.add(some);
		const items = results.all();
		if (values.output === 'fields') run.noteFields([values.fields].flat().map(String), items);
		return items;
	} catch (error) {
		results.redact ??= await redactorOf(run, item);
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
export async function executeAlone(
	operation: Operation,
	item: Item,
	attempts: object,
): Promise<INodeExecutionData[]> {
	const run = new Run(outcomesOf(attempts), item.context.getExecutionCancelSignal());
	const executing = executeItem(run, operation, item);
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
	return response.by.startsWith('page') ? byPage(response, call) : byCursor(response, call);
}

/**
 * What a request changes: the conversation that gets a message, else the group, message or user. The
 * service does not tell capitals in a UID or GUID from small letters.
 */
function targetOf({ path, body = {} }: RestRequest): string {
	const [, resource, id] = path.split('/');
	const named = body.receiver ?? body.guid ?? body.uid ?? Object.values(body);
	const target =
		id === undefined
			? `/${resource} ${String(body.receiverType)} ${String(named)}`
			: `/${resource}/${id}`;
	return target.toLowerCase();
}

/** For an error that came before the credentials were read. */
async function redactorOf(run: Run, item: Item): Promise<Redact> {
	const { apiKey } = await credentialsOf(item).catch((): ICredentialDataDecryptedObject => ({}));
	return run.redactorFor(apiKey);
}

/** Whether an AI agent runs the node: it sees only the message of an error. */
function isTool({ context }: Item): boolean {
	return context.getNode().type.endsWith('Tool');
}

/** What came of one item. */
class ItemResults {
	redact: Redact | undefined;

	/** Of the parameters, as soon as they are read */
	values: Values = {};

	private readonly collected: INodeExecutionData[] = [];

	private readonly failures: string[] = [];

	private succeeded = 0;

	private firstFailure: unknown;

	constructor(
		private readonly operation: Operation,
		private readonly item: Item,
	) {}

	add(results: Result[]): void {
		for (const { thing, entry = '', failure } of results) {
			if (failure === undefined) {
				this.collect(thing);
				this.succeeded++;
				continue;
			}
			this.firstFailure ??= failure;
			const reason = typeof failure === 'string' ? failure : wholeText(this.nodeError(failure));
			this.addFailed(thing, reason, named(entry, reason));
		}
	}

	/** @throws what says which entries of a list failed, when the run does not continue */
	all(): INodeExecutionData[] {
		if (this.failures.length > 0) throw this.partialError();
		return this.collected;
	}

	/**
	 * @throws n8n's error, unless the run continues; what was thrown, when the run was stopped
	 */
	failed(error: unknown, run: Run): INodeExecutionData[] {
		if (error instanceof StoppedError || run.isCancelled) throw error;
		const nodeError = this.nodeError(error, this.keptText());
		if (this.continues) {
			// n8n's own error item would lose the input's fields and the pairing
			this.collect({ error: wholeText(nodeError) });
			return this.collected;
		}
		// Before the next change of the same target begins
		run.limiter.stop();
		if (isTool(this.item)) nodeError.message = wholeText(nodeError);
		throw nodeError;
	}

	private get continues(): boolean {
		return this.item.context.continueOnFail();
	}

	private nodeError(error: unknown, addition?: string): Error {
		const { redact = (value) => value } = this;
		return toNodeError(this.item.context.getNode(), error, {
			redact,
			labels: labelsOf(this.operation.fields, this.values),
			hasSettings: true,
			change: this.operation.change,
			itemIndex: this.item.index,
			addition,
		});
	}

	private collect(json: IDataObject): void {
		const { redact = (value) => value } = this;
		this.collected.push({ json: redact(json), pairedItem: { item: this.item.index } });
	}

	/** An entry of a list that failed: in place of its item, as the run is set up. */
	private addFailed(thing: IDataObject, reason: string, named: string): void {
		if (!this.continues) this.failures.push(named);
		else if (this.item.context.getNode().onError === 'continueErrorOutput') {
			// n8n takes nothing but an item with a lone `error` to the error output
			this.collect({ error: named });
		} else this.collect({ ...thing, error: reason });
	}

	/** What becomes of what came before the error. */
	private keptText(): string | undefined {
		const { succeeded, continues } = this;
		if (succeeded === 0) return undefined;
		if (this.operation.change) return `${countText(succeeded)} succeeded`;
		const items =
			succeeded === 1
				? 'The item fetched before this is'
				: `The ${countText(succeeded)} items fetched before this are`;
		return continues
			? `${items} kept`
			: `${items} lost: to keep what was fetched, set 'On Error' in the node's Settings to continue`;
	}

	/** What all entries of a list failed with together is the error. */
	private partialError(): unknown {
		const { failures, succeeded, operation, firstFailure } = this;
		if (succeeded === 0 && typeof firstFailure !== 'string') return firstFailure;
		const named = failures.slice(0, MAX_NAMED).join('; ');
		const more = failures.length > MAX_NAMED ? `; and ${failures.length - MAX_NAMED} more` : '';
		const words = partialText(operation, failures.length, failures.length + succeeded);
		return new DescribedError(words, `${named}${more}.`);
	}
}

/** E.g. "2 of 3 users could not be added". */
function partialText({ response }: Operation, failed: number, total: number): string {
	if (!('each' in response)) return `${failed} of ${total} failed`;
	const { entry, failed: words } = response;
	return total === 1 ? `The ${entry} ${words}` : `${failed} of ${total} ${entry}s ${words}`;
}
