import type { IWebhookFunctions } from 'n8n-workflow';

import { toNodeError } from '../errors/nodeError';
import { wholeText } from '../errors/words';
import { DescribedError } from '../errors/describedError';
import { expandPath, pathSegment, segmentProblem } from '../transport/path';
import type { Redact } from '../transport/redact';
import { redactor } from '../transport/redact';
import { entityOf } from '../transport/response';
import { CREDENTIAL, send } from '../transport/send';
import type { Fetched } from './items';
import { stateOf } from './nodeState';

/**
 * How long the event waits for its message, in milliseconds: the service has its response already, but
 * n8n saves the static data of the workflow only afterwards.
 */
const DEADLINE_MS = 10_000;

const TIMEOUT_MS = 5_000;

const RETRY = { maxAttempts: 3, maxWaitMs: DEADLINE_MS };

/** Rejects when the time is over, also for a request that waits for its turn. */
async function expired(deadline: AbortSignal): Promise<never> {
	return await new Promise((_, reject) => {
		const error = new DescribedError(
			`CometChat sent no message within ${DEADLINE_MS / 1000} seconds`,
		);
		deadline.addEventListener('abort', () => reject(error), { once: true });
	});
}

/**
 * Gets the message of a reaction.
 *
 * @returns why it is missing when it is; never throws, and never holds the API key
 */
export async function fetchMessage(
	context: IWebhookFunctions,
	messageId: unknown,
): Promise<Fetched> {
	let redact: Redact = (value) => value;
	const unwanted = AbortSignal.timeout(DEADLINE_MS);
	const state = stateOf(context);
	const { limiter } = state;
	state.fetching++;
	try {
		const credentials = await context.getCredentials(CREDENTIAL);
		redact = redactor(credentials.apiKey);
		const settings = { timeout: TIMEOUT_MS };
		const id = String(messageId ?? '');
		const problem = segmentProblem(id);
		if (problem) throw new DescribedError(`The ID of the message ${problem}`);
		const segments = { messageId: pathSegment(id) };
		const sending = send(
			{ context, credentials, settings, limiter, retry: RETRY, order: 0, unwanted },
			{ method: 'GET', path: expandPath('/messages/{messageId}', segments) },
			entityOf('message'),
		);
		return redact({ message: await Promise.race([sending, expired(unwanted)]) });
	} catch (error) {
		return { messageError: wholeText(toNodeError(context.getNode(), error, { redact })) };
	} finally {
		state.fetching--;
		if (state.fetching === 0) limiter.close();
	}
}
