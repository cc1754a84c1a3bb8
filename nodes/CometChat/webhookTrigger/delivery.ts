import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../helpers/json';

/** An event as CometChat posts it. */
export interface Delivery {
	/** Name of the event, e.g. "message_sent" */
	trigger: string;
	data: IDataObject;
	appId?: IDataObject[string];
	/** The entire request body, including the fields above */
	envelope: IDataObject;
}

const EVENT_NAME_PATTERN = /^[\w.:-]{1,100}$/;

/**
 * True if a legacy webhook sent the data. The data of a legacy webhook is either a bare message or receipt, or
 * an object that contains a connection event. Event names don't tell legacy webhooks from new ones. Both use the
 * same names for receipts, and both send events whose names begin with "after_".
 */
function isLegacyData({
	sender,
	receiverType,
	category,
	receiptType,
	event,
}: IDataObject): boolean {
	const isMessage = [sender, receiverType, category].every((value) => typeof value === 'string');
	return isMessage || receiptType !== undefined || isObject(event);
}

/**
 * Reads an event from a request body.
 *
 * @param envelope the body as n8n parsed it
 * @returns the event, even if its type is unknown, or the reason why the body isn't an event, as a sentence for
 * the caller
 */
export function readDeliveryOrProblem(envelope: unknown): Delivery | string {
	if (!isObject(envelope)) {
		return 'The body is not a JSON object with the content type application/json.';
	}
	const { trigger, data } = envelope;
	if (typeof trigger !== 'string' || !EVENT_NAME_PATTERN.test(trigger)) {
		return 'The body has no "trigger", so it is not an event from CometChat.';
	}
	if (!isObject(data)) return 'The body has no "data" object.';
	if (trigger === 'after_message' && envelope.bot !== undefined) {
		return 'This is a message to a bot. Start the workflow with the CometChat Bot Trigger node, which sets up the bot in CometChat.';
	}
	if (isLegacyData(data)) {
		return `"${trigger}" comes from the older kind of CometChat webhook. Set up a webhook under Settings → Webhooks instead.`;
	}
	return { trigger, data, appId: envelope.appId, envelope };
}
