import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';

import { serve } from '../n8nEngine/serve';
import { isObject } from '../../nodes/CometChat/helpers/json';
import { getEventType, readSubjects } from '../../nodes/CometChat/webhookTrigger/events';
import { parseJson } from '../sandbox/parse';
import { readField } from './recorder';
import type { CheckResult } from './report';

/** A server that receives webhook deliveries. */
export type Listener = Awaited<ReturnType<typeof startListener>>;

/**
 * Starts a server that responds to every delivery with status 200 and stores the body.
 *
 * @param port port to listen on, or 0 for any free port
 * @param maxPauseMs maximum time to wait for the next delivery, in milliseconds
 */
export async function startListener(port: number, maxPauseMs = 3000) {
	/** Bodies of all deliveries received, including deliveries that the check didn't cause. */
	const bodies: string[] = [];
	const keep = async (request: IncomingMessage, response: ServerResponse) => {
		bodies.push(await text(request).catch(() => ''));
		response.end();
	};
	return { bodies, maxPauseMs, ...(await serve(keep, port, '::')) };
}

/** Fields included in every delivery, besides `data`. */
const ENVELOPE = ['trigger', 'appId', 'region', 'webhook'];

/**
 * Lists the differences between a delivery and the fields that the trigger node reads. The descriptions
 * never include values from the delivery.
 */
function findDeviations(delivery: unknown, trigger: string): string[] {
	const missing = ENVELOPE.filter((name) => typeof readField(delivery, name) !== 'string');
	const data = readField(delivery, 'data');
	const type = getEventType(trigger);
	const isRead = isObject(data) && (!type || readSubjects(trigger, data, () => true).length > 0);
	return [
		...missing.map((name) => `missing: ${name}`),
		...(type ? [] : ['unknown event']),
		...(isRead ? [] : ['unexpected shape: the trigger finds nothing in data']),
	];
}

/**
 * Returns the name of a delivery's event. If the field doesn't contain a valid name, its value isn't
 * returned.
 */
const readTrigger = (delivery: unknown): string =>
	/^\w{1,60}$/.exec(String(readField(delivery, 'trigger')))?.[0] ?? 'no trigger';

/** Compares deliveries with the known events. Ignores deliveries that the check didn't cause. */
export async function checkDeliveries(
	{ bodies, maxPauseMs }: Listener,
	id: string,
	signal: AbortSignal,
): Promise<CheckResult[]> {
	for (let count = -1; count < bodies.length && !signal.aborted;) {
		count = bodies.length;
		await wait(maxPauseMs, undefined, { signal }).catch(() => {});
	}
	const deliveries = bodies.filter((body) => body.includes(id)).map(parseJson);
	return [...Map.groupBy(deliveries, readTrigger)].map(([name, own]) => {
		const deviations = own.flatMap((delivery) => findDeviations(delivery, name));
		return { name, outcome: String(own.length), deviations: [...new Set(deviations)] };
	});
}
