import type { IDataObject } from 'n8n-workflow';

import { isRefusedWith } from '../errors/refusalCodes';
import type { OutcomeOfAllAttempts } from '../transport/client';
import {
	StoppedError,
	getErrorResponseOfFailedAttempts,
	requestMayHaveWorked,
} from '../transport/failure';
import { createEntityReaderForMethod } from '../transport/response';
import { asObjectOrEmpty, isEmptyObject } from '../helpers/json';
import type { BatchResponseSettings, UnconvertedResult } from '../types';
import type { ItemRequestWithClient } from './call';

/**
 * Sends a list in batches. Each entry gets its own result, even if the entry's batch failed. An entry that
 * an earlier attempt of the run completed isn't sent again, and neither is an entry that it may have completed, if
 * repeating the request could make the change twice.
 *
 * @throws StoppedError if the run was stopped
 */
export async function* sendListInBatches(
	{ each, listParameter: name, batchSize, doneCodes = [] }: BatchResponseSettings,
	{ request, values, client, outcomes }: ItemRequestWithClient,
): AsyncGenerator<UnconvertedResult[]> {
	const list = values[name];
	const entries = [list].flat().map(String);
	outcomes.changeCount = entries.length;
	const rest = entries.filter(
		(entry) => outcomes.getChangeResultIfNotResendable(entry) === undefined,
	);
	let sent: OutcomeOfAllAttempts<IDataObject> | undefined;
	// Send batches one after another, because a batch's failure may show that the next would fail, too
	for (let start = 0; start < rest.length; start += batchSize) {
		const batch = rest.slice(start, start + batchSize);
		const body = replaceList(asObjectOrEmpty(request.body), list, batch);
		if (sent === undefined || canNextBatchSucceed(sent.failure)) {
			sent = await client.sendAndReadAsOutcome(
				{ ...request, body },
				createEntityReaderForMethod(request.method, each.name),
			);
		}
		const { value: data, failure, failedAttemptMayHaveWorked } = sent;
		if (failedAttemptMayHaveWorked || (each.needsResults && isEmptyObject(data)))
			outcomes.recordPossiblyMade(batch);
		for (const entry of batch) {
			const isRefusedAsDone = !data && isRefusedWith(failure, doneCodes);
			// If a refusal shows that an earlier request made the change, the refusal counts as an empty response
			const answer = isRefusedAsDone && outcomes.isPossiblyMade(entry) ? {} : data;
			const result = each.resultOf(answer, entry, values);
			outcomes.recordChangeResult(entry, answer ? result : { ...result, failure });
		}
		if (failure instanceof StoppedError) throw failure;
	}
	yield entries.flatMap((entry) => {
		const result = outcomes.getChangeResultEvenIfFailed(entry);
		if (result === undefined) return [];
		// CometChat keys results by entry, so a raw result doesn't contain the entry itself
		return { ...result, entry, received: { [each.id]: entry, ...result.received } };
	});
}

/**
 * False if no attempt of the batch reached CometChat, or each was refused because of the API key or the rate limit, so
 * the next batch would fail too.
 */
function canNextBatchSucceed(error: unknown): boolean {
	if (error === undefined) return true;
	const refusal = getErrorResponseOfFailedAttempts(error);
	const isRefused = refusal !== undefined && ![401, 429].includes(refusal.statusCode);
	return requestMayHaveWorked(error) || isRefused;
}

/** Returns the request body with the whole list replaced by one batch. */
function replaceList(body: IDataObject, list: unknown, batch: string[]): IDataObject {
	return Object.fromEntries(
		Object.entries(body).map(([key, value]) => [key, value === list ? batch : value]),
	);
}
