import type { IWebhookFunctions } from 'n8n-workflow';

import { realClock } from '../helpers/clock';
import { computeSha256Bytes } from '../helpers/digest';
import { RecentWebhookCalls, type RecentWebhookCall } from '../helpers/recentCalls';
import { RESPOND_WITHIN_MS } from './reply';

/** Values that identify an event, or a message to a bot, in case CometChat delivers it again. */
export interface EventIdentifyingValues {
	/** Name of the event, e.g. "message_sent" */
	trigger: string;
	appId: unknown;
	/** Values that identify the event. The first value is the event's own time or ID, if the event has one. */
	key: unknown[];
	/** Content of the event. Identifies an event that has no time or ID of its own. */
	content: unknown;
	/** Name of the webhook that delivered the event */
	webhookName: unknown;
}

/** Recent deliveries to all nodes in this process. Each value is the name of the delivering webhook. */
const deliveringWebhooks = new RecentWebhookCalls<unknown>();

/** Values that don't count as a time or an ID. CometChat may send `null` or 0 instead of a time. */
const UNSET: unknown[] = [undefined, null, '', 0, '0'];

/** Returns the event's key as JSON. Returns undefined if the event has no time or ID of its own. */
function readOwnKey({ key }: EventIdentifyingValues): string | undefined {
	if (UNSET.includes(key[0])) return undefined;
	// Leaves out `entities`: its profiles of users and groups may have changed when CometChat retries
	return JSON.stringify(key, (name, value: unknown) => (name === 'entities' ? undefined : value));
}

/**
 * True if a delivery repeats an earlier delivery with the same key. False if the delivery contains a new event
 * with the same content.
 */
function isRepetition(
	{ value: earlierWebhookName, startedAt, responded }: RecentWebhookCall<unknown>,
	webhookName: unknown,
	hasOwnKey: boolean,
): boolean {
	const end = responded?.at ?? realClock.now();
	const isInTime = responded?.isReceived !== false && end - startedAt <= RESPOND_WITHIN_MS;
	return hasOwnKey || webhookName !== earlierWebhookName || !isInTime;
}

/**
 * Records an event for the node, and returns true. Returns false if this process has already accepted the event
 * from an earlier delivery (open question 16 in docs/status.md).
 *
 * - After a timely success response, CometChat doesn't retry. An identical delivery is then a new event, unless
 *   the event has its own time or ID.
 * - After a late success response, a retry is recognized for one minute by the event's time or ID. Without a
 *   time or ID, the event's entire content is compared.
 * - After an error response, a retry counts as the first delivery.
 * - If two webhooks have the same URL, both deliver each event. An identical delivery by a webhook with another
 *   name is always a repetition.
 *
 * Events are remembered only in memory. After a restart, or with several webhook processes, a retry can start
 * the workflow a second time.
 */
export async function acceptUnlessRecentRepetition(
	context: IWebhookFunctions,
	event: EventIdentifyingValues,
): Promise<boolean> {
	const { trigger, appId, content, webhookName } = event;
	const ownKey = readOwnKey(event);
	const source = [context.getWorkflow().id, context.getNode().id, appId, trigger];
	const key = String(await computeSha256Bytes(JSON.stringify([source, ownKey ?? content])));
	// Awaits only earlier deliveries of the same event. Any other `await` here would cause a race.
	// If a delivery fails, the first waiting retry replaces it, and the other retries wait for that retry.
	for (let known = deliveringWebhooks.find(key); known; known = deliveringWebhooks.find(key)) {
		if (!isRepetition(known, webhookName, ownKey !== undefined)) break;
		if (await known.acceptance) return false;
	}
	deliveringWebhooks.addAndForgetOnErrorResponse(key, context, webhookName);
	return true;
}
