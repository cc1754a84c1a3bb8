import type { ICredentialDataDecryptedObject, INodeExecutionData } from 'n8n-workflow';

import type { Operation, UnconvertedResult, ParameterValues } from '../types';
import type { ItemRequestWithClient } from '../calls/call';
import { streamListResults } from '../calls/list';
import { downloadMessageFiles } from '../calls/downloadFiles';
import { findOrCreateChangeOutcomesOfRun } from '../calls/outcomes';
import { sendListInBatches } from '../calls/sendBatches';
import { sendItemWithSingleResult } from '../calls/sendSingle';
import { getRowType } from '../output/columns';
import { createResultConverter, type ResultConverter } from '../output/shape';
import { API_CREDENTIAL } from '../transport/attempt';
import { Client } from '../transport/client';
import { StoppedError } from '../transport/failure';
import { createSecretRedactor } from '../helpers/redact';
import { buildRequestFromParameters } from '../request/request';
import { toRequestPolicy } from '../request/requestPolicy';
import { addInputFilesToRequest, readInputFilesParameter } from './inputFiles';
import { createItemOutputOrThrow, type ItemState } from './itemOutput';
import { SharedRunState, type ItemAccess } from './run';
import { ToolListCharacterLimit } from './toolLimit';
import type { ChangeTurn } from './turns';

/**
 * Executes an operation for one input item. Reads the item's fields and sends the item's requests.
 *
 * @returns output items that are paired with the input item. The API key is redacted. If the run continues on errors,
 * an error that ended the item becomes the last output item.
 * @throws an n8n error with the item's index, or the original error (e.g. StoppedError) if the run was stopped
 */
export async function executeItem(
	run: SharedRunState,
	operation: Operation,
	item: ItemAccess,
): Promise<INodeExecutionData[]> {
	const progress: ItemState = { values: {}, redact: (value) => value, results: [] };
	const loadingCredentials = item.context.getCredentials(API_CREDENTIAL, item.index);
	let credentials: ICredentialDataDecryptedObject | undefined;
	let turn: ChangeTurn | undefined;
	try {
		const fromEarlierNodes = operation.fromEarlierNodes?.read(item.context, item.index);
		const read = buildRequestFromParameters(operation, item.reader, fromEarlierNodes);
		const { values } = read;
		progress.values = values;
		for (const hint of read.inputHints) run.hints.add(hint);
		const request = item.completeRequest?.(read) ?? read.request;
		const sendsFiles = readInputFilesParameter(operation, values).length > 0;
		// Items that send files don't count as repeated, because files can differ even if all fields are the same
		if (!sendsFiles) run.repetitions.addItem(operation, read);
		const keys = listQueueKeys(operation, values);
		const [id = ''] = keys;
		// A message with files also waits in one of the run's upload queues
		if (sendsFiles) keys.push(run.takeNextUploadQueueKey());
		// Reserve the turn before the first `await`, so that turns follow the order of the items
		if (keys.length > 0) turn = run.turns.reserveTurn(keys);
		credentials = await loadingCredentials;
		run.secrets.add(credentials.apiKey);
		const client = new Client({
			context: item.context,
			credentials,
			rateLimit: operation.rateLimit,
			limiter: run.limiter,
			...toRequestPolicy(values.requestOptions),
			queuePosition: item.index,
		});
		const outcomes = run.outcomes.findOrCreateForItem(item.index);
		const call: ItemRequestWithClient = {
			...{ request, values, client, outcomes, hints: run.hints },
			download: createDownloader(client, item),
		};
		await turn?.ready;
		call.request = await addInputFilesToRequest(request, operation, item, values);
		progress.creator = run.getCreatorIndex(id);
		const convert = createOperationConverter(operation, values, run);
		const isLimited = item.reader.isTool && 'many' in operation.response;
		const limit = isLimited ? new ToolListCharacterLimit() : undefined;
		/** Adds a result. Returns false without adding the result if a tool's list would become too long. */
		const addResult = (result: UnconvertedResult): boolean => {
			const { entry, failure, file, columns } = result;
			const json = convert(result);
			if (limit?.tryCountRow(json) === false) return false;
			if (typeof columns?.existed === 'boolean')
				run.recordIdToExplainSharedIds(id, item.index, columns.existed);
			progress.results.push({ json, file, entry, failure });
			return true;
		};
		for await (const batch of streamResults(operation, call)) {
			if (batch.every(addResult)) continue;
			if (limit) run.hints.add(limit.createHintText(operation));
			break;
		}
		const hint = operation.hint?.(values, progress.results.length);
		if (hint !== undefined) run.hints.add(hint);
	} catch (error) {
		progress.error = error;
	}
	try {
		// Even an error thrown before the credential was read can contain the API key
		credentials ??= await loadingCredentials.catch(() => undefined);
		progress.redact = createSecretRedactor(credentials?.apiKey);
		progress.region = credentials?.region;
		return createItemOutputOrThrow(run, operation, item, progress);
	} finally {
		turn?.end();
	}
}

/**
 * Executes an operation for one input item, in a separate run.
 *
 * @param runKey object that stays the same for all attempts of the run
 * @returns the output items. Empty after a StoppedError, because n8n would report a canceled execution as failed.
 * @throws the other errors of `executeItem`
 */
export async function executeItemInOwnRun(
	operation: Operation,
	item: ItemAccess,
	runKey: object,
): Promise<INodeExecutionData[]> {
	const run = new SharedRunState(
		findOrCreateChangeOutcomesOfRun(runKey),
		item.context.getExecutionCancelSignal(),
	);
	try {
		const items = await executeItem(run, operation, item).catch((error: unknown) => {
			if (error instanceof StoppedError) return [];
			throw error;
		});
		return item.reader.isTool ? [...items, ...run.hintItems] : items;
	} finally {
		run.limiter.stop();
	}
}

/** Creates the function that converts the operation's results to the JSON of output items. */
function createOperationConverter(
	operation: Operation,
	values: ParameterValues,
	run: SharedRunState,
): ResultConverter {
	const { response } = operation;
	const { columnParameters = {} } = 'each' in response ? {} : response;
	const requested = Object.entries(columnParameters).map(([column, names]) => {
		const name = [names].flat().find((each) => values[each] !== undefined) ?? '';
		return [column, values[name]] as const;
	});
	return createResultConverter(
		values,
		getRowType(operation),
		Object.fromEntries(requested),
		run.foundFields,
	);
}

/** Creates the function that downloads a file. Returns undefined if an agent runs the node as a tool. */
function createDownloader(
	client: Client,
	{ context, reader }: ItemAccess,
): ItemRequestWithClient['download'] {
	const { helpers } = context;
	if (!('prepareBinaryData' in helpers) || reader.isTool) return undefined;
	return async (file) => await client.downloadIntoStorage(helpers, file);
}

function streamResults(
	{ response }: Operation,
	call: ItemRequestWithClient,
): AsyncGenerator<UnconvertedResult[]> {
	if ('one' in response) return sendItemWithSingleResult(response, call);
	if ('each' in response) return sendListInBatches(response, call);
	if ('files' in response) return downloadMessageFiles(response, call);
	return streamListResults(response, call);
}

/**
 * Lists keys for the entities that an item changes. A key is one ID or a combination, e.g. of a group's and a member's
 * ID. Returns an empty list for an item that only reads. IDs are lowercased, because CometChat ignores their case.
 */
function listQueueKeys({ sequentialBy = [] }: Operation, values: ParameterValues): string[] {
	if (typeof sequentialBy === 'function') return sequentialBy(values);
	const lists = sequentialBy.map((name) =>
		[values[name]].flat().map((id) => String(id).toLowerCase()),
	);
	// Combine each entry of the first list with each entry of the other lists
	const [first = [], ...others] = lists;
	return others.reduce(
		(keys, list) => keys.flatMap((key) => list.map((id) => `${key} ${id}`)),
		first,
	);
}
