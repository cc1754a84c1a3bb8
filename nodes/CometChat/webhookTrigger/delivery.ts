import { jsonParse, type IDataObject } from 'n8n-workflow';

import { isObject } from '../transport/json';

/** An event as CometChat posts it. */
export interface Delivery {
	/** Name of the event, e.g. "message_sent" */
	trigger: string;
	data: IDataObject;
	appId?: IDataObject[string];
	/** The entire request body, including the fields above */
	envelope: IDataObject;
}

/** The reason why a request body isn't an event. */
export interface InvalidDelivery {
	/** Explanation for the caller, in complete sentences */
	fault: string;
}

const EVENT_NAME = /^[\w.:-]{1,100}$/;

/**
 * True if a legacy webhook sent the data. The data of a legacy webhook is either a bare message or receipt, or
 * an object that contains a connection event. Event names don't distinguish legacy webhooks from new webhooks,
 * because both use the same names for receipts and for events whose names begin with "after_".
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

/** Parses a body that n8n left as a string because its content type isn't JSON. */
function parseBody(body: unknown): unknown {
	if (typeof body !== 'string') return body;
	try {
		return jsonParse(body);
	} catch {
		return undefined;
	}
}

/**
 * Reads an event from a request body.
 *
 * @param body the body as n8n parsed it
 * @returns the event, even if its type is unknown, or the reason why the body isn't an event
 */
export function readDelivery(body: unknown): Delivery | InvalidDelivery {
	const envelope = parseBody(body);
	if (!isObject(envelope)) {
		return { fault: 'The body is not a JSON object with the content type application/json.' };
	}
	const { trigger, data } = envelope;
	if (typeof trigger !== 'string' || !EVENT_NAME.test(trigger)) {
		return { fault: 'The body has no "trigger", so it is not an event from CometChat.' };
	}
	if (!isObject(data)) return { fault: 'The body has no "data" object.' };
	if (isLegacyData(data)) {
		return {
			fault: `"${trigger}" comes from the older kind of CometChat webhook. Set up a webhook under Settings → Webhooks instead.`,
		};
	}
	return { trigger, data, appId: envelope.appId, envelope };
}
