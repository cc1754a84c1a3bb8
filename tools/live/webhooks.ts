import type { RequestListener } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';

import { serve } from '../n8nEngine/serve';
import { activateWebhook } from '../n8nEngine/webhook';
import { isObject } from '../../nodes/CometChat/transport/json';
import { getEventType } from '../../nodes/CometChat/trigger/events';
import { parseBody, readField } from './recorder';

/** Deliveries of an event during a run. */
export interface EventResult {
	trigger: string;
	deliveries: number;
	deviations: string[];
}

/** A server that receives the webhook's deliveries. */
export interface Listener {
	port: number;
	/** Bodies of all deliveries, also from outside the run. */
	bodies: string[];
	/** Maximum wait for another delivery, in milliseconds. */
	quiet: number;
	close(): Promise<void>;
}

/**
 * Starts a server that responds to every delivery with 200 and keeps the body.
 *
 * @param port 0 for any free port
 */
export async function listen(port: number, quiet = 3000): Promise<Listener> {
	const bodies: string[] = [];
	const keep: RequestListener = async (request, response) => {
		bodies.push(await text(request).catch(() => ''));
		response.end();
	};
	return { bodies, quiet, ...(await serve(keep, port, '::')) };
}

/** Fields of every delivery beside `data`. */
const ENVELOPE = ['trigger', 'appId', 'region', 'webhook'];

/** Differences between a delivery and what the trigger node reads. Never contains values. */
function deviationsIn(delivery: unknown, trigger: string): string[] {
	const missing = ENVELOPE.filter((name) => typeof readField(delivery, name) !== 'string');
	const data = readField(delivery, 'data');
	const type = getEventType(trigger);
	const isRead = isObject(data) && (type?.read === undefined || type.read(data).length > 0);
	return [
		...missing.map((name) => `missing: ${name}`),
		...(type ? [] : ['unknown event']),
		...(isRead ? [] : ['other shape: the trigger finds nothing in data']),
	];
}

/** Errors of the trigger node for these deliveries. */
async function triggerErrors(bodies: string[]): Promise<string[]> {
	const webhook = await activateWebhook({
		...{ id: 'check', name: 'CometChat Trigger', type: 'n8n-nodes-cometchat.cometChatTrigger' },
		...{ typeVersion: 1, position: [0, 0] },
		parameters: { events: ['*'] },
	});
	const headers = { 'content-type': 'application/json' };
	const refused: string[] = [];
	for (const body of bodies) {
		const { status } = await fetch(webhook.url, { method: 'POST', headers, body });
		if (status !== 200) refused.push(`the trigger answers ${status}`);
	}
	await webhook.idle();
	await webhook.close();
	const failed = webhook.executions.flatMap(({ error }) => (error ? [error.message] : []));
	return [...refused, ...failed.map((message) => `the trigger failed: ${message}`)];
}

/** Compares the run's deliveries with the known events. Ignores other deliveries. */
export async function eventResults(
	{ bodies, quiet }: Listener,
	id: string,
	signal: AbortSignal,
): Promise<EventResult[]> {
	for (let seen = -1; seen < bodies.length && !signal.aborted;) {
		seen = bodies.length;
		await wait(quiet, undefined, { signal }).catch(() => {});
	}
	const byTrigger = new Map<string, string[]>();
	for (const body of bodies.filter((each) => each.includes(id))) {
		const trigger =
			/^\w{1,60}$/.exec(String(readField(parseBody(body), 'trigger')))?.[0] ?? 'no trigger';
		byTrigger.set(trigger, [...(byTrigger.get(trigger) ?? []), body]);
	}
	const results: EventResult[] = [];
	for (const [trigger, own] of byTrigger) {
		const deviations = own.flatMap((body) => deviationsIn(parseBody(body), trigger));
		deviations.push(...(await triggerErrors(own)));
		results.push({ trigger, deliveries: own.length, deviations: [...new Set(deviations)] });
	}
	return results;
}
