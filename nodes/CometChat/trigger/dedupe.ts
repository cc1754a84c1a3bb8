import type { IWebhookFunctions } from 'n8n-workflow';

import { waitForResponse } from '../run/webhookResponse';
import { systemClock } from '../transport/clock';
import { fieldByPath } from '../transport/json';
import type { Delivery } from './delivery';
import { digest } from './digest';
import { getEventType } from './events';

/**
 * Maximum time between a late or failed response and CometChat's retry, in milliseconds. CometChat
 * retries a delivery after 10 and after 30 seconds, and a busy n8n needs time to read the retry.
 */
const REPEATED_WITHIN_MS = 60_000;

/**
 * Maximum time between a delivery that got a timely response and its retry, in milliseconds. Applies only
 * to events with their own time or ID.
 */
const REDELIVERED_WITHIN_MS = 45_000;

/**
 * Maximum response time that counts as timely, in milliseconds. CometChat waits 2,000 ms, including
 * network time.
 */
const IN_TIME_MS = 1_500;

/** Minimum time between a delivery and its retry, in milliseconds. */
const FIRST_REPETITION_MS = 2_000;

/** Maximum number of events to remember. CometChat's rate limits allow fewer events per minute. */
const MAX_EVENTS = 20_000;

/** An event that was delivered recently. */
interface ReceivedEvent {
	startedAt: number;
	/** Name of the webhook that first delivered the event */
	webhook: unknown;
	/** Resolves to true if n8n responded to the delivery with a success status, or to false if it failed */
	succeeded: Promise<boolean>;
	/** Set once n8n has responded to the delivery */
	response?: {
		at: number;
		/** True if CometChat received the response in time, so it won't retry the delivery */
		isReceived: boolean;
	};
}

/**
 * Events recently delivered to any node in this process, keyed by the data that identifies them, oldest
 * first.
 */
const receivedEvents = new Map<string, ReceivedEvent>();

const { now } = systemClock;

/** Values that don't count as a time or an ID. CometChat may send `null` or 0 instead of a time. */
const UNSET: unknown[] = [undefined, null, '', 0, '0'];

/**
 * Reads the values that identify an event, at the paths listed in the event type's `key`.
 *
 * @returns the values as JSON; undefined if the event has no time or ID of its own
 */
function readOwnKey({ trigger, data }: Delivery): string | undefined {
	const values = (getEventType(trigger)?.key ?? []).map((path) => fieldByPath(path)(data));
	if (UNSET.includes(values[0])) return undefined;
	// `entities` contains profiles of users and groups, whose status may differ when CometChat retries
	return JSON.stringify(values, (name, value: unknown) =>
		name === 'entities' ? undefined : value,
	);
}

/** Removes events that CometChat won't retry anymore, and evicts the oldest events above the maximum. */
function removeOldEvents(): void {
	for (const [key, { startedAt, response }] of receivedEvents) {
		const isOld = response && now() - Math.max(startedAt, response.at) > REPEATED_WITHIN_MS;
		if (!isOld && receivedEvents.size <= MAX_EVENTS) return;
		receivedEvents.delete(key);
	}
}

/** True if a delivery with the same key is a retry of this event, not a new event with the same content. */
function isRepetition(event: ReceivedEvent, webhook: unknown, hasOwnKey: boolean): boolean {
	const isOtherWebhook = webhook !== event.webhook;
	const age = now() - event.startedAt;
	if (!event.response) return hasOwnKey || isOtherWebhook || age >= FIRST_REPETITION_MS;
	if (now() - event.response.at > REPEATED_WITHIN_MS) return false;
	if (isOtherWebhook || !event.response.isReceived) return true;
	return hasOwnKey && age <= REDELIVERED_WITHIN_MS;
}

/**
 * True if a delivery repeats an event that has already started the workflow.
 *
 * - After a timely success response, CometChat doesn't retry. An identical delivery is then a new event, unless
 *   the event has its own time or ID.
 * - After a late or failed response, a retry is recognized for one minute by the event's time or ID. Without a
 *   time or ID, its entire content is compared. If the first delivery failed, the retry starts the workflow.
 * - If two webhooks have the same URL, both deliver the same events. Their names tell them apart.
 *
 * Events are remembered only in memory. After a restart, or with several webhook processes, a retry can
 * start the workflow a second time.
 */
export async function isDuplicate(
	context: IWebhookFunctions,
	delivery: Delivery,
): Promise<boolean> {
	const { trigger, appId, data, envelope } = delivery;
	const startedAt = now();
	const ownKey = readOwnKey(delivery);
	const source = [context.getWorkflow().id, context.getNode().id, appId, trigger];
	const key = String(await digest(JSON.stringify([source, ownKey ?? data])));
	// Await only earlier deliveries of the same event. Awaiting anything else here would allow a race.
	removeOldEvents();
	for (;;) {
		const known = receivedEvents.get(key);
		if (!known || !isRepetition(known, envelope.webhook, ownKey !== undefined)) break;
		if (await known.succeeded) return true;
		// The first waiting retry replaces the failed event. Other retries then wait for that retry.
		if (receivedEvents.get(key) === known) receivedEvents.delete(key);
	}
	// Deletes the key first to move the event to the end, so that the map stays sorted by time
	receivedEvents.delete(key);
	receivedEvents.set(key, createEvent(context, envelope.webhook, startedAt));
	return false;
}

function createEvent(
	context: IWebhookFunctions,
	webhook: unknown,
	startedAt: number,
): ReceivedEvent {
	const event: ReceivedEvent = { startedAt, webhook, succeeded: Promise.resolve(false) };
	event.succeeded = waitForResponse(context).then(({ isSuccess, isReceived }) => {
		event.response = { at: now(), isReceived: isReceived && now() - startedAt <= IN_TIME_MS };
		return isSuccess;
	});
	return event;
}
