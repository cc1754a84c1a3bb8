import type { IWebhookFunctions } from 'n8n-workflow';

import { systemClock } from '../transport/clock';
import { fieldByPath } from '../transport/json';
import type { Delivery } from './delivery';
import { getEventType } from './events';

/**
 * Time after a late or missing answer during which a delivery can be repeated, in milliseconds.
 * CometChat repeats it after 10 and after 30 seconds, and a busy n8n needs time to read it.
 */
const REPEATED_WITHIN_MS = 60_000;

/**
 * Time during which a timely answered delivery can be repeated, in milliseconds. Applies to events that
 * have a time or ID of their own.
 */
const REDELIVERED_WITHIN_MS = 45_000;

/** Maximum time for a timely answer, in milliseconds. CometChat waits 2,000, including the network. */
const IN_TIME_MS = 1_500;

/** Minimum time between a delivery and its repetition, in milliseconds. */
const FIRST_REPETITION_MS = 2_000;

/** Maximum number of remembered events: CometChat's rate limits allow fewer in a minute. */
const MAX_EVENTS = 20_000;

/** An event that was delivered recently. */
interface ReceivedEvent {
	startedAt: number;
	/** Name of the webhook that delivered the event first */
	webhook: unknown;
	/** Resolves when the delivery is answered, to whether it succeeded */
	succeeded: Promise<boolean>;
	/** Set when the delivery is answered */
	answer?: {
		at: number;
		/** Whether the caller received the answer, so that CometChat won't repeat the delivery */
		isReceived: boolean;
	};
}

/** Recent events from all nodes in this process, by their keys, oldest first. */
const receivedEvents = new Map<string, ReceivedEvent>();

const { now } = systemClock;

async function digest(text: string): Promise<string> {
	const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
	return String.fromCharCode(...new Uint8Array(hash));
}

/** Whether a value can be a time or an ID: CometChat may send `null` or 0 instead of a time. */
const isSet = (value: unknown) => ![undefined, null, '', 0, '0'].some((empty) => empty === value);

/**
 * Reads the values that identify an event, at the places in its `key`.
 *
 * @returns JSON; undefined if the event has no time or ID of its own
 */
function readOwnKey({ trigger, data }: Delivery): string | undefined {
	const values = (getEventType(trigger)?.key ?? []).map((path) => fieldByPath(path)(data));
	if (!isSet(values[0])) return undefined;
	// `entities` are profiles of users and groups, whose status may differ in a repeated delivery
	return JSON.stringify(values, (name, value: unknown) =>
		name === 'entities' ? undefined : value,
	);
}

/** Drops events that CometChat won't repeat anymore, and the oldest events if there are too many. */
function dropOldEvents(): void {
	for (const [key, { startedAt, answer }] of receivedEvents) {
		const isOld = answer && now() - Math.max(startedAt, answer.at) > REPEATED_WITHIN_MS;
		if (!isOld && receivedEvents.size <= MAX_EVENTS) return;
		receivedEvents.delete(key);
	}
}

/** Calls back when the response is sent. Reports its success, and whether the caller gets it in time. */
function onAnswer(
	context: IWebhookFunctions,
	startedAt: number,
	callback: (isSuccess: boolean, isReceived: boolean) => void,
): void {
	const response = context.getResponseObject();
	let isGone = response.closed || response.destroyed;
	response.once('close', () => {
		isGone = true;
	});
	// Unlike 'finish', emitted even if the caller has gone
	response.once('prefinish', () => {
		const isInTime = now() - startedAt <= IN_TIME_MS;
		callback(response.statusCode < 400, isInTime && !isGone);
	});
}

/** Whether a delivery with the same key repeats an event, instead of reporting another event that looks the same. */
function isRepetition(event: ReceivedEvent, webhook: unknown, hasOwnKey: boolean): boolean {
	const isOtherWebhook = webhook !== event.webhook;
	const age = now() - event.startedAt;
	if (!event.answer) return hasOwnKey || isOtherWebhook || age >= FIRST_REPETITION_MS;
	if (now() - event.answer.at > REPEATED_WITHIN_MS) return false;
	if (isOtherWebhook || !event.answer.isReceived) return true;
	return hasOwnKey && age <= REDELIVERED_WITHIN_MS;
}

/**
 * Whether a delivery repeats an event that has already started the workflow.
 *
 * - A delivery that was answered with success in time is not repeated. If its event has no time or ID of
 *   its own, the same content is a new event.
 * - A delivery that was answered late or failed is recognized for a minute: by the time or ID of the
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
	const { webhook } = envelope;
	const startedAt = now();
	const ownKey = readOwnKey(delivery);
	const node = [context.getWorkflow().id, context.getNode().id, appId];
	const key = await digest(JSON.stringify([node, trigger, ownKey ?? data]));
	// From here to the end of the loop, only an earlier delivery of the same event is awaited
	dropOldEvents();
	for (;;) {
		const known = receivedEvents.get(key);
		if (known === undefined || !isRepetition(known, webhook, ownKey !== undefined)) break;
		if (await known.succeeded) return true;
		// The first waiting repetition takes over, and the others wait for it
		if (receivedEvents.get(key) === known) receivedEvents.delete(key);
	}
	remember(context, key, webhook, startedAt);
	return false;
}

function remember(
	context: IWebhookFunctions,
	key: string,
	webhook: unknown,
	startedAt: number,
): void {
	const event: ReceivedEvent = { startedAt, webhook, succeeded: Promise.resolve(false) };
	event.succeeded = new Promise<boolean>((resolve) => {
		onAnswer(context, startedAt, (isSuccess, isReceived) => {
			event.answer = { at: now(), isReceived };
			// A failed delivery counts as new when CometChat repeats it
			if (!isSuccess && receivedEvents.get(key) === event) receivedEvents.delete(key);
			resolve(isSuccess);
		});
	});
	receivedEvents.delete(key);
	receivedEvents.set(key, event);
}
