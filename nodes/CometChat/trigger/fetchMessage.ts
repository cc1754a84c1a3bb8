import type { IWebhookFunctions } from 'n8n-workflow';

import { sendInTime } from '../operation/sendInTime';
import type { Fetched } from './output';

/** How long the response to CometChat waits for the message, in milliseconds: CometChat gives up after 2,000. */
const DEADLINE_MS = 1_500;

/**
 * Gets the message of a reaction, in time for the response to the delivery.
 *
 * @returns why it is missing when it is; never throws, and never holds the API key
 */
export async function fetchMessage(
	context: IWebhookFunctions,
	messageId: unknown,
): Promise<Fetched> {
	const request = { method: 'GET', path: '/messages/{messageId}' } as const;
	return await sendInTime(context, request, messageId, DEADLINE_MS);
}
