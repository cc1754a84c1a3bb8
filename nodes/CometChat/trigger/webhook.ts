import type {
	IDataObject,
	IHookFunctions,
	INodeExecutionData,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';

import { toNodeError } from '../errors/nodeError';
import { createSender, fetchMessageWithin, type FetchedMessage } from '../run/sendOnce';
import { isCallerKnown } from './auth';
import { isRepeated } from './dedupe';
import { deliveryOf, type Delivery } from './delivery';
import { eventTypeOf } from './events';
import { objectAt } from './occurrences';
import { itemsOf } from './items';
import { isWantedMessage, wantedOf } from './selection';
import { readSettings, type Settings } from './settings';

/** How long the response to CometChat waits for a message, in milliseconds: CometChat gives up after 2,000. */
const DEADLINE_MS = 1_500;

const LEFT_OUT = 'Left out by the settings of the node.';

/**
 * Responds to the caller; nothing starts.
 *
 * @param message one sentence for the log of the caller
 */
function respond(
	context: IWebhookFunctions,
	statusCode: number,
	message: string,
): IWebhookResponseData {
	const response = context.getResponseObject();
	response.statusCode = statusCode;
	if (statusCode === 401) {
		response.setHeader('WWW-Authenticate', 'Basic realm="CometChat Webhook", charset="UTF-8"');
	}
	response.setHeader('Content-Type', 'application/json; charset=utf-8');
	response.end(JSON.stringify({ message }));
	return { noWebhookResponse: true };
}

/** Starts the workflow. n8n responds when it has stored the execution: an earlier 200 could be lost. */
function start(items: IDataObject[]): IWebhookResponseData {
	return {
		webhookResponse: { message: 'The event was received.' },
		workflowData: [items.map((json): INodeExecutionData => ({ json }))],
	};
}

/** The node's settings, with an error for the executions list of n8n when they are wrong. */
function settingsOf(context: IHookFunctions | IWebhookFunctions): Settings {
	try {
		return readSettings(context);
	} catch (error) {
		throw toNodeError(context.getNode(), error, { redact: (value) => value });
	}
}

/** @returns the message of a reaction, or why it is missing; undefined when it is not asked for */
async function fetchedFor(
	context: IWebhookFunctions,
	{ data }: Delivery,
	settings: Settings,
): Promise<FetchedMessage | undefined> {
	const { messageId } = objectAt(data, 'reaction');
	if (!settings.fetchMessage || messageId === undefined) return undefined;
	const request = { method: 'GET', path: '/messages/{messageId}' } as const;
	return await fetchMessageWithin(createSender(context), request, messageId, DEADLINE_MS);
}

/**
 * One delivery: what starts the workflow, if anything does. The caller gets the response when all that
 * belongs to the event is stored; so what a restart interrupts, CometChat can send again.
 *
 * @throws NodeOperationError for wrong settings: n8n shows it as a failed execution
 */
export async function webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
	if (!(await isCallerKnown(this))) return respond(this, 401, 'Unauthorized');
	const delivery = deliveryOf(this.getBodyData());
	if ('fault' in delivery) return respond(this, 400, delivery.fault);
	const settings = settingsOf(this);
	const occurrences = eventTypeOf(delivery.trigger)?.read?.(delivery.data) ?? [];
	// Whoever tries the workflow out sends the same event again and again
	if (this.getMode() !== 'manual' && (await isRepeated(this, delivery))) {
		return respond(this, 200, 'This event was received before.');
	}
	const wanted = wantedOf(delivery, occurrences, settings);
	if (wanted === undefined) return respond(this, 200, LEFT_OUT);
	const fetched = await fetchedFor(this, delivery, settings);
	if (fetched?.message && !isWantedMessage(fetched.message, settings)) {
		return respond(this, 200, LEFT_OUT);
	}
	return start(itemsOf(delivery, wanted, fetched, settings));
}

/**
 * What n8n calls when the workflow is activated and deactivated. CometChat's webhooks are set up by
 * hand; but wrong settings are told then, and not only with the first delivery.
 */
export const webhookMethods = {
	default: {
		async checkExists(this: IHookFunctions): Promise<boolean> {
			settingsOf(this);
			return true;
		},
		async create(this: IHookFunctions): Promise<boolean> {
			return true;
		},
		async delete(this: IHookFunctions): Promise<boolean> {
			return true;
		},
	},
};
