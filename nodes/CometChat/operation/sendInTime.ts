import type { IWebhookFunctions } from 'n8n-workflow';

import { DescribedError } from '../errors/describedError';
import { toNodeError } from '../errors/nodeError';
import { wholeText } from '../errors/words';
import { RequestLimiter } from '../transport/limiter';
import { expandPath, pathSegment, segmentProblem } from '../transport/path';
import type { Redact } from '../transport/redact';
import { redactor } from '../transport/redact';
import { entityOf } from '../transport/response';
import { CREDENTIAL, send } from '../transport/send';
import type { RestRequest } from '../transport/types';
import type { IDataObject } from 'n8n-workflow';

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
	context: IWebhookFunctions,
	request: RestRequest,
	messageId: unknown,
	deadlineMs: number,
): Promise<InTime> {
	let redact: Redact = (value) => value;
	const deadline = AbortSignal.timeout(deadlineMs);
	const limiter = new RequestLimiter({ signal: deadline });
	try {
		const credentials = await context.getCredentials(CREDENTIAL);
		redact = redactor(credentials.apiKey);
		const id = String(messageId ?? '');
		const problem = segmentProblem(id);
		if (problem) throw new DescribedError(`The ID of the message ${problem}`);
		const path = expandPath(request.path, { messageId: pathSegment(id) });
		const message = await send(
			{
				context,
				credentials,
				settings: { timeout: deadlineMs },
				limiter,
				retry: { maxAttempts: 2, maxWaitMs: deadlineMs },
				order: 0,
			},
			{ ...request, path },
			entityOf('message'),
		);
		return redact({ message });
	} catch (reason) {
		const error = deadline.aborted
			? new DescribedError(`CometChat sent no message within ${deadlineMs / 1000} seconds`)
			: reason;
		return { messageError: wholeText(toNodeError(context.getNode(), error, { redact })) };
	} finally {
		limiter.close();
	}
}
