import type { IWebhookFunctions } from 'n8n-workflow';

import { waitForResponse } from '../run/webhookResponse';
import { systemClock } from '../transport/clock';
import { fieldByPath } from '../transport/json';
import type { Delivery } from './delivery';
import { digest } from './digest';
import { getEventType } from './events';

/**
 * Maximum time between a late or failed response and a repetition, in milliseconds. CometChat repeats a
 * delivery after 10 and after 30 seconds, and a busy n8n needs time to read the repetition.
 */
const REPEATED_WITHIN_MS = 60_000;

/**
 * Maximum time between a delivery with a timely response and its repetition, in milliseconds. Applies
 * only to events with their own time or ID.
 */
const REDELIVERED_WITHIN_MS = 45_000;

/** Maximum time for a timely response, in milliseconds. CometChat waits 2,000, including the network. */
const IN_TIME_MS = 1_500;

/** Minimum time between a delivery and its repetition, in milliseconds. */
const FIRST_REPETITION_MS = 2_000;

/** Maximum number of remembered events. CometChat's rate limits allow fewer in a minute. */
const MAX_EVENTS = 20_000;

/** An event that was delivered recently. */
interface ReceivedEvent {
	startedAt: number;
	/** Name of the webhook that delivered the event first */
	webhook: unknown;
	/** Resolves to true when the delivery has a response of success, and to false after a failure */
	succeeded: Promise<boolean>;
	/** Set when the delivery has a response */
	response?: {
		at: number;
		/** Whether CometChat received the response in time, and so won't repeat the delivery */
		isReceived: boolean;
	};
}

/** Recent events of all nodes in this process, by their keys, oldest first. */
const receivedEvents = new Map<string, ReceivedEvent>();

const { now } = systemClock;

/** Values that are neither a time nor an ID. CometChat may send `null` or 0 instead of a time. */
const UNSET: unknown[] = [undefined, null, '', 0, '0'];

/**
 * Reads the values that identify an event, at the places in its `key`.
 *
 * @returns JSON; undefined if the event has no time or ID of its own
 */
function readOwnKey({ trigger, data }: Delivery): string | undefined {
	const values = (getEventType(trigger)?.key ?? []).map((path) => fieldByPath(path)(data));
	if (UNSET.includes(values[0])) return undefined;
	// `entities` are profiles of users and groups, whose status may differ in a repeated delivery
	return JSON.stringify(values, (name, value: unknown) =>
		name === 'entities' ? undefined : value,
	);
}

/** Removes events that CometChat won't repeat anymore, and the oldest events if there are too many. */
function removeOldEvents(): void {
	for (const [key, { startedAt, response }] of receivedEvents) {
		const isOld = response && now() - Math.max(startedAt, response.at) > REPEATED_WITHIN_MS;
		if (!isOld && receivedEvents.size <= MAX_EVENTS) return;
		receivedEvents.delete(key);
	}
}

/** Whether a delivery with the same key repeats an event. Otherwise, it is a new event that looks the same. */
function isRepetition(event: ReceivedEvent, webhook: unknown, hasOwnKey: boolean): boolean {
	const isOtherWebhook = webhook !== event.webhook;
	const age = now() - event.startedAt;
	if (!event.response) return hasOwnKey || isOtherWebhook || age >= FIRST_REPETITION_MS;
	if (now() - event.response.at > REPEATED_WITHIN_MS) return false;
	if (isOtherWebhook || !event.response.isReceived) return true;
	return hasOwnKey && age <= REDELIVERED_WITHIN_MS;
}

/**
 * Whether a delivery repeats an event that has already started the workflow.
 *
 * - CometChat doesn't repeat a delivery that got a response of success in time. If the event has no time
 *   or ID of its own, a delivery with the same content is a new event.
 * - After a late or failed response, a repetition is recognized for a minute by the time or ID of the
 *   event, or else by its whole content. After a failure, the repetition starts the workflow.
 * - Another webhook with the same URL has another name, and delivers the same events.
 *
 * Events are remembered in memory only. After a restart, or with several webhook processes, a
 * repetition can start the workflow a second time.
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
	// Until the event is added below, only earlier deliveries of the same event are awaited
	removeOldEvents();
	for (;;) {
		const known = receivedEvents.get(key);
		if (!known || !isRepetition(known, envelope.webhook, ownKey !== undefined)) break;
		if (await known.succeeded) return true;
		// The first waiting repetition replaces the failed event, and the others wait for this repetition
		if (receivedEvents.get(key) === known) receivedEvents.delete(key);
	}
	// Adding the event at the end keeps the map in order
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
