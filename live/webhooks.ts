import type { RequestListener } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';

import { serve } from '../engine/serve';
import { activateWebhook } from '../engine/webhook';
import { eventTypeOf } from '../nodes/CometChat/trigger/events';
import { at } from './questions';
import { parsed } from './recorder';
import type { Schema } from './shape';
import { deviationsOf, named } from './shape';

/** What came of an event during a run. */
export interface EventResult {
	trigger: string;
	deliveries: number;
	deviations: string[];
}

/** Takes deliveries of a webhook. */
export interface Listener {
	port: number;
	/** As they came, of the whole app */
	bodies: string[];
	/** How long to wait for another delivery, in milliseconds */
	quiet: number;
	close(): Promise<void>;
}

/**
 * Starts a server that answers every delivery with 200 and keeps it.
 *
 * @param port 0 for any free one
 */
export async function listen(port: number, quiet = 3000): Promise<Listener> {
	const bodies: string[] = [];
	const keep: RequestListener = async (request, response) => {
		bodies.push(await text(request).catch(() => ''));
		response.end();
	};
	return { bodies, quiet, ...(await serve(keep, port, '::')) };
}

const anyMessage: Schema = { anyOf: [named('Message'), named('ActionMessage')] };

const toldMember: Schema = {
	allOf: [
		named('User'),
		{
			properties: {
				scope: named('Scope'),
				oldScope: named('Scope'),
				joinedAt: named('Timestamp'),
			},
		},
	],
};

/** What `data` of a delivery holds, by the beginning of its trigger. */
const DATA: Record<string, Schema> = {
	message_reaction: { required: ['reaction'], properties: { reaction: named('UserReaction') } },
	// What the message was is left open
	message_deleted: { required: ['message'], properties: { message: { type: 'object' } } },
	message_deliver: {},
	message_read: {},
	message: { required: ['message'], properties: { message: anyMessage } },
	user_mentioned: { required: ['message'], properties: { message: anyMessage } },
	group: {
		required: ['group'],
		properties: {
			group: { allOf: [named('Group'), { properties: { oldOwner: { type: 'string' } } }] },
			members: { type: 'object', additionalProperties: toldMember },
			by: named('User'),
		},
	},
};

function deviationsIn(delivery: unknown, trigger: string): string[] {
	const start = Object.keys(DATA).find((beginning) => trigger.startsWith(beginning));
	const texts = { type: 'string' };
	const found = deviationsOf(delivery, {
		type: 'object',
		required: ['trigger', 'data', 'appId', 'region', 'webhook'],
		properties: {
			...{ trigger: texts, appId: texts, region: texts, webhook: texts },
			data: { type: 'object', ...DATA[start ?? ''] },
		},
	});
	return found.map(({ kind, text: what }) => `${kind}: ${what}`);
}

/** How many of the deliveries the node's own trigger fails at. */
async function failuresOfNode(bodies: string[]): Promise<string[]> {
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

/** Compares what came for a run with the events that are known. Other deliveries are not looked at. */
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
		const trigger = /^\w{1,60}$/.exec(String(at(parsed(body), 'trigger')))?.[0] ?? 'no trigger';
		byTrigger.set(trigger, [...(byTrigger.get(trigger) ?? []), body]);
	}
	const results: EventResult[] = [];
	for (const [trigger, own] of byTrigger) {
		const deviations = own.flatMap((body) => deviationsIn(parsed(body), trigger));
		if (!eventTypeOf(trigger)) deviations.unshift('unknown event');
		deviations.push(...(await failuresOfNode(own)));
		results.push({ trigger, deliveries: own.length, deviations: [...new Set(deviations)] });
	}
	return results;
}
