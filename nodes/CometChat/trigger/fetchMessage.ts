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
import type { Fetched } from './output';

/** How long the response to CometChat waits for the message, in milliseconds: CometChat gives up after 2,000. */
const DEADLINE_MS = 1_500;

const TOO_LATE = `CometChat sent no message within ${DEADLINE_MS / 1000} seconds`;

const RETRY = { maxAttempts: 2, maxWaitMs: DEADLINE_MS };

/**
 * Gets the message of a reaction, in time for the response to the delivery.
 *
 * @returns why it is missing when it is; never throws, and never holds the API key
 */
export async function fetchMessage(
	context: IWebhookFunctions,
	messageId: unknown,
): Promise<Fetched> {
	let redact: Redact = (value) => value;
	const deadline = AbortSignal.timeout(DEADLINE_MS);
	const limiter = new RequestLimiter({ signal: deadline });
	try {
		const credentials = await context.getCredentials(CREDENTIAL);
		redact = redactor(credentials.apiKey);
		const id = String(messageId ?? '');
		const problem = segmentProblem(id);
		if (problem) throw new DescribedError(`The ID of the message ${problem}`);
		const path = expandPath('/messages/{messageId}', { messageId: pathSegment(id) });
		const settings = { timeout: DEADLINE_MS };
		const message = await send(
			{ context, credentials, settings, limiter, retry: RETRY, order: 0 },
			{ method: 'GET', path },
			entityOf('message'),
		);
		return redact({ message });
	} catch (reason) {
		const error = deadline.aborted ? new DescribedError(TOO_LATE) : reason;
		return { messageError: wholeText(toNodeError(context.getNode(), error, { redact })) };
	} finally {
		limiter.close();
	}
}
