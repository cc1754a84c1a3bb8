import type { IWebhookFunctions } from 'n8n-workflow';

import { fieldAt } from '../transport/json';
import type { Delivery } from './delivery';
import { eventTypeOf } from './events';

/**
 * How long after a delivery was answered too late, or was broken off, it can come again, in
 * milliseconds. The service repeats one after 10 and again after 30 seconds; a busy n8n takes its time
 * to read each.
 */
const REPEATED_WITHIN_MS = 60_000;

/** The same for an event that has a time or an ID of its own, and was answered in time. */
const TOLD_AGAIN_WITHIN_MS = 45_000;

/** The service gives up after 2 seconds; less the way there and back. */
const IN_TIME_MS = 1_500;

/** A repetition cannot come sooner after the first delivery, in milliseconds. */
const FIRST_REPETITION_MS = 2_000;

/** Most events that are remembered; the service's rate limits leave room for so many in that time. */
const MAX_EVENTS = 20_000;

/** An event that was told a moment ago. */
interface Told {
	startedAt: number;
	/** How often each webhook has told it, by the webhook's name; and the most of these */
	times: Map<unknown, number>;
	most: number;
	/** Whether the delivery was answered with success, as soon as it is answered */
	succeeded: Promise<boolean>;
	/** Set when it was answered */
	end?: {
		at: number;
		/** Whether the caller got the answer, so that no repetition comes */
		isReceived: boolean;
	};
}

/** The events of the last moments, of all nodes of this process, in the order in which they came. */
const toldEvents = new Map<string, Told>();

/** Milliseconds that pass evenly, whatever happens to the clock. */
const now = (): number => performance.now();

async function digest(...values: unknown[]): Promise<string> {
	const bytes = new TextEncoder().encode(JSON.stringify(values));
	const hash = await crypto.subtle.digest('SHA-256', bytes);
	return String.fromCharCode(...new Uint8Array(hash));
}

/** The time or ID that tells an event from all others; undefined where the data has none. */
function ownKeyOf({ trigger, data }: Delivery): unknown[] | undefined {
	const paths = eventTypeOf(trigger)?.key ?? [];
	const values = paths.map((path) => fieldAt(path)(data));
	return values[0] === undefined ? undefined : values;
}

function forget(): void {
	for (const [key, { startedAt, end }] of toldEvents) {
		const isOver = end !== undefined && now() - Math.max(startedAt, end.at) > REPEATED_WITHIN_MS;
		if (!isOver && toldEvents.size <= MAX_EVENTS) return;
		toldEvents.delete(key);
	}
}

/** Calls back when the response is sent, and says whether it is a success that the caller gets in time. */
function whenAnswered(
	context: IWebhookFunctions,
	startedAt: number,
	answered: (isSuccess: boolean, isReceived: boolean) => void,
): void {
	const response = context.getResponseObject();
	let isGone = response.closed || response.destroyed;
	response.once('close', () => {
		isGone = true;
	});
	// Comes also when the caller is gone
	response.once('prefinish', () => {
		const isInTime = now() - startedAt <= IN_TIME_MS;
		answered(response.statusCode < 400, isInTime && !isGone);
	});
}

/** Whether a delivery of this webhook tells the event once more, and no other one that looks the same. */
function isRepetition(event: Told, webhook: unknown, hasOwnKey: boolean): boolean {
	const { startedAt, times, most, end } = event;
	const age = now() - startedAt;
	if (end === undefined) {
		// Another webhook may tell it at once
		return hasOwnKey || (times.get(webhook) ?? 0) < most || age >= FIRST_REPETITION_MS;
	}
	if (now() - end.at > REPEATED_WITHIN_MS) return false;
	if ((times.get(webhook) ?? 0) < most) return true;
	return end.isReceived ? hasOwnKey && age <= TOLD_AGAIN_WITHIN_MS : true;
}

/**
 * Whether this delivery is a repetition, which starts nothing.
 *
 * - What was answered with success in time, to a caller who was still there, is not repeated.
 * - What was answered late, broken off or failed is recognised for a minute, whatever comes between: by
 *   the time or the ID that the event has, else by all of its content. After a failure it starts the
 *   workflow.
 * - Another webhook that has the same URL is told by its name: it tells of the same events.
 *
 * It is remembered in the process only. A restart, or several webhook processes, can at worst start a
 * workflow twice, and n8n's static data, which is saved as a whole, is left to the nodes that need it.
 */
export async function isToldAgain(
	context: IWebhookFunctions,
	delivery: Delivery,
): Promise<boolean> {
	const { trigger, appId, data, envelope } = delivery;
	const { webhook } = envelope;
	const startedAt = now();
	const ownKey = ownKeyOf(delivery);
	const node = [context.getWorkflow().id, context.getNode().id, appId];
	const key = await digest(node, trigger, ownKey ?? data);
	// From here to the end of the loop nothing waits but for an earlier delivery
	forget();
	for (;;) {
		const known = toldEvents.get(key);
		if (known === undefined || !isRepetition(known, webhook, ownKey !== undefined)) break;
		if (await known.succeeded) {
			const times = known.times.get(webhook) ?? 0;
			if (times < known.most) known.times.set(webhook, times + 1);
			return true;
		}
		// The first of those that waited takes over, and the others wait for it
		if (toldEvents.get(key) === known) toldEvents.delete(key);
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
	const before = toldEvents.get(key);
	const times = new Map(before?.times).set(webhook, (before?.times.get(webhook) ?? 0) + 1);
	const most = Math.max(...times.values());
	const event: Told = { startedAt, times, most, succeeded: Promise.resolve(false) };
	event.succeeded = new Promise<boolean>((resolve) => {
		whenAnswered(context, startedAt, (isSuccess, isReceived) => {
			event.end = { at: now(), isReceived };
			// What failed is new when it comes again
			if (!isSuccess && toldEvents.get(key) === event) toldEvents.delete(key);
			resolve(isSuccess);
		});
	});
	toldEvents.delete(key);
	toldEvents.set(key, event);
}
