import type { IWebhookFunctions } from 'n8n-workflow';

import type { Delivery } from './delivery';
import { eventTypeOf } from './events';
import type { Occurrence } from './occurrences';

/**
 * How long a delivery can come again after it last came or was answered, in milliseconds. The service
 * repeats one that it got no response to within 2 seconds, after 10 and again after 30 seconds; a busy
 * n8n takes its time to read each.
 */
const REPEATED_WITHIN_MS = 60_000;

/** Most things that are remembered; the service's rate limits leave room for so many in that time. */
const MAX_THINGS = 20_000;

/** The last event about something. */
interface LastEvent {
	/** Digest of what was told */
	content: string;
	/** When it last came or was answered, in milliseconds since 1970 */
	at: number;
	/** Whether it was answered with success, as soon as it is answered */
	succeeded: Promise<boolean>;
}

/** The last event about each thing, in the order in which they first came, of all nodes of this process. */
const lastEvents = new Map<string, LastEvent>();

async function digest(...values: unknown[]): Promise<string> {
	const bytes = new TextEncoder().encode(JSON.stringify(values));
	const hash = await crypto.subtle.digest('SHA-256', bytes);
	return String.fromCharCode(...new Uint8Array(hash));
}

/** What each occurrence is about; the whole content, where the delivery does not say. */
function subjectsOf({ trigger, data }: Delivery, occurrences: Occurrence[]): unknown[][] {
	const topic = eventTypeOf(trigger)?.topic ?? trigger;
	const isKnown = occurrences.every(({ ids }) => !ids.includes(undefined));
	if (occurrences.length === 0 || !isKnown) return [[trigger, data]];
	return occurrences.map(({ ids }) => [topic, ...ids]);
}

/** The clock may have been set back. */
const isRecent = ({ at }: LastEvent, now: number) => Math.abs(now - at) < REPEATED_WITHIN_MS;

function forget(now: number): void {
	for (const [subject, event] of lastEvents) {
		if (isRecent(event, now) && lastEvents.size <= MAX_THINGS) return;
		lastEvents.delete(subject);
	}
}

/**
 * Remembers an event until the delivery has failed: then n8n could not start the workflow, and what the
 * service sends again is new.
 */
function lastEvent(context: IWebhookFunctions, content: string, at: number): LastEvent {
	const response = context.getResponseObject();
	const succeeded = new Promise<boolean>((resolve) => {
		// Comes also when the caller is gone
		response.once('prefinish', () => {
			if (response.statusCode >= 400) event.content = '';
			event.at = Date.now();
			resolve(response.statusCode < 400);
		});
	});
	const event: LastEvent = { content, at, succeeded };
	return event;
}

/**
 * Whether this delivery is a repetition: it says the same as the last one about the same thing, a
 * moment ago. Deliveries have no ID, and when something happens again (a user leaves a group, joins it
 * and leaves it again) they may be alike in every field; but then something else was told in between.
 * So every delivery counts, also one that starts nothing. The webhook's name does not: two webhooks
 * with the same URL tell of the same events.
 *
 * It is remembered in the process only. A delivery that was answered in time does not come again, and
 * every one is. A restart, or several webhook processes, can at worst start a workflow twice, and n8n's
 * static data, which is saved as a whole, is left to the nodes that need it.
 *
 * @returns undefined for a new event; else whether the first delivery of it succeeded, once that is known
 */
export async function firstDelivery(
	context: IWebhookFunctions,
	delivery: Delivery,
	occurrences: Occurrence[],
): Promise<boolean | undefined> {
	const { trigger, appId, data } = delivery;
	const node = [context.getWorkflow().id, context.getNode().id, appId];
	const content = await digest(trigger, data);
	const subjects = await Promise.all(
		subjectsOf(delivery, occurrences).map(async (subject) => await digest(node, subject)),
	);
	// Nothing below waits, so no other delivery comes in between
	const now = Date.now();
	forget(now);
	const known = subjects.map((subject) => lastEvents.get(subject));
	// What happened to several can happen again only when it was undone for each of them
	const first = known.find((event) => event?.content === content && isRecent(event, now));
	if (first) {
		first.at = now;
		return await first.succeeded;
	}
	const event = lastEvent(context, content, now);
	for (const subject of subjects) {
		lastEvents.delete(subject);
		lastEvents.set(subject, event);
	}
	return undefined;
}
