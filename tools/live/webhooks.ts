import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';

import { serve } from '../n8nEngine/serve';
import { isObject } from '../../nodes/CometChat/helpers/json';
import {
	findEventDefinition,
	readEventEntitiesOrEmptyList,
} from '../../nodes/CometChat/webhookTrigger/events';
import { parseJson } from '../sandbox/parse';
import { readField } from './recorder';
import type { CheckResult } from './results';

/** A server that receives webhook deliveries and messages to the check's bot. */
export type Listener = Awaited<ReturnType<typeof startListener>>;

/** A message to the check's bot, as received. */
export interface BotDelivery {
	/** `Authorization` header, which contains the bot's login. */
	authorization?: string;
	body: string;
}

/** An event that the check causes once. The listener refuses its first delivery, which CometChat may repeat. */
export const REFUSED_EVENT = 'group_member_banned';

/** Maximum number of the listener's pauses to wait for a repetition, which CometChat sends after 10 seconds. */
const PAUSES_FOR_REPETITION = 5;

interface Refusal {
	receiver: 'bot' | 'webhook';
	texts: string[];
}

/** Query that tells messages to the check's bot from webhook deliveries. */
const BOT_QUERY = 'for=n8n-check-bot';

/** Returns the URL that receives messages to the check's bot. */
export const getBotUrl = ({ address }: Pick<Listener, 'address'>): string =>
	`${address}${address.includes('?') ? '&' : '?'}${BOT_QUERY}`;

/**
 * Starts a server that stores the body of every delivery. Responds with status 200, except to refused deliveries.
 *
 * @param port port to listen on, or 0 for any free port
 * @param maxPauseMs maximum time to wait for the next delivery, in milliseconds
 * @param address URL at which the service reaches the server. Default: the server's own address on loopback
 */
export async function startListener(port: number, maxPauseMs = 3000, address?: string) {
	/** Bodies of all deliveries received, including deliveries that the check didn't cause. */
	const bodies: string[] = [];
	const botDeliveries: BotDelivery[] = [];
	const refusals: Refusal[] = [];
	/** True if the delivery has to be refused. Each refusal applies once. */
	const isRefused = (receiver: Refusal['receiver'], body: string): boolean => {
		const index = refusals.findIndex(
			(each) => each.receiver === receiver && each.texts.every((part) => body.includes(part)),
		);
		return index >= 0 && refusals.splice(index, 1).length > 0;
	};
	const keep = async (request: IncomingMessage, response: ServerResponse) => {
		const body = await text(request).catch(() => '');
		const { authorization } = request.headers;
		const receiver = request.url?.includes(BOT_QUERY) ? 'bot' : 'webhook';
		if (receiver === 'bot') botDeliveries.push({ authorization, body });
		else bodies.push(body);
		if (isRefused(receiver, body)) response.statusCode = 503;
		response.end();
	};
	// A tunnel or a router may forward deliveries to any of the machine's addresses
	const served = await serve(keep, port, address === undefined ? undefined : '::');
	return {
		...{ bodies, botDeliveries, maxPauseMs, address: address ?? `${served.url}/` },
		/** Refuses the first delivery to the bot or to the webhook that contains all of the texts. */
		refuseOnce: (receiver: Refusal['receiver'], ...texts: string[]) =>
			void refusals.push({ receiver, texts }),
		...served,
	};
}

/** Waits until the list hasn't grown for a while, or until the check is stopped. */
export async function waitUntilQuiet(
	received: readonly unknown[],
	maxPauseMs: number,
	signal: AbortSignal,
): Promise<void> {
	for (let count = -1; count < received.length && !signal.aborted;) {
		count = received.length;
		await wait(maxPauseMs, undefined, { signal }).catch(() => {});
	}
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
	const type = findEventDefinition(trigger);
	const isRead =
		isObject(data) && (!type || readEventEntitiesOrEmptyList(trigger, data, () => true).length > 0);
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
export const readTrigger = (delivery: unknown): string =>
	/^\w{1,60}$/.exec(String(readField(delivery, 'trigger')))?.[0] ?? 'no trigger';

/**
 * Returns the deliveries that the check caused. Waits for the last ones, and for a repetition of the refused
 * event.
 */
export async function collectDeliveries(
	{ bodies, maxPauseMs }: Listener,
	id: string,
	signal: AbortSignal,
): Promise<unknown[]> {
	const list = () => bodies.filter((body) => body.includes(id)).map(parseJson);
	await waitUntilQuiet(bodies, maxPauseMs, signal);
	for (let count = 0; count < PAUSES_FOR_REPETITION && !signal.aborted; count++) {
		if (list().filter((each) => readTrigger(each) === REFUSED_EVENT).length !== 1) break;
		await wait(maxPauseMs, undefined, { signal }).catch(() => {});
	}
	return list();
}

/** Compares deliveries with the known events. */
export function checkDeliveries(deliveries: unknown[]): CheckResult[] {
	return [...Map.groupBy(deliveries, readTrigger)].map(([name, own]) => {
		const deviations = own.flatMap((delivery) => findDeviations(delivery, name));
		return { name, outcome: String(own.length), deviations: [...new Set(deviations)] };
	});
}
