import type { IDataObject } from 'n8n-workflow';

import { wholeText } from '../errors/words';
import { expandPath, segmentProblem } from '../transport/path';
import { entityOf } from '../transport/response';
import type { RestRequest } from '../transport/types';
import type { SendAlone } from './alone';

/** What came of a request: a message, or why there is none. */
export interface InTime {
	message?: IDataObject;
	messageError?: string;
}

/**
 * Sends one request about a message, for a caller of a webhook who waits for the response.
 *
 * @param messageId goes into the path as `{messageId}`
 * @param deadlineMs how long it may take in all, in milliseconds
 * @returns never throws, and never holds the API key
 */
export async function sendInTime(
	sender: Promise<SendAlone>,
	request: RestRequest,
	messageId: unknown,
	deadlineMs: number,
): Promise<InTime> {
	const id = String(messageId ?? '');
	const problem = segmentProblem(id);
	if (problem) return { messageError: `The ID of the message ${problem}` };
	const path = expandPath(request.path, () => id);
	const signal = AbortSignal.timeout(deadlineMs);
	const patience = { timeout: deadlineMs, maxWaitMs: deadlineMs, signal };
	const late = `CometChat sent no message within ${deadlineMs / 1000} seconds`;
	const sending = sender.then(
		async (send) => await send({ ...request, path }, entityOf('message'), patience),
	);
	return await sending.then(
		(message) => ({ message }),
		(error: Error) => ({ messageError: signal.aborted ? late : wholeText(error) }),
	);
}
