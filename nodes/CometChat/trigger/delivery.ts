import { jsonParse, type IDataObject } from 'n8n-workflow';

import { isDeeper, isObject } from '../transport/json';

/** What CometChat posts: the envelope of one event. */
export interface Delivery {
	/** Name of the event, e.g. "message_sent" */
	trigger: string;
	data: IDataObject;
	appId?: IDataObject[string];
	/** The envelope, with these and whatever else it holds */
	envelope: IDataObject;
}

/** A body that is no delivery. */
export interface InvalidDelivery {
	/** Why, as whole sentences for the caller */
	fault: string;
}

const EVENT_NAME = /^[\w.:-]{1,100}$/;

/** Levels of a body. CometChat's have about ten; n8n cannot store one with thousands. */
const MAX_DEPTH = 100;

/**
 * Whether it comes from the older kind of webhook, in which `data` itself is the message or the
 * receipt, or holds what a user's connection did as an event. The names do not tell: both kinds have
 * receipts of the same names, and the present one has some that begin with "after_" too.
 */
function isOfOlderKind({
	sender,
	receiverType,
	category,
	receiptType,
	event,
}: IDataObject): boolean {
	const isMessage = [sender, receiverType, category].every((value) => typeof value === 'string');
	return isMessage || receiptType !== undefined || isObject(event);
}

/** n8n leaves a body as text when its content type is not JSON. */
function parsed(body: unknown): unknown {
	if (typeof body !== 'string') return body;
	try {
		return jsonParse(body);
	} catch {
		return undefined;
	}
}

/**
 * Reads the body of a request.
 *
 * @param body as n8n parsed it, whatever it is
 * @returns the envelope of an event, known or not; else why it is none
 */
export function deliveryOf(body: unknown): Delivery | InvalidDelivery {
	const envelope = parsed(body);
	if (!isObject(envelope)) {
		return { fault: 'The body is not a JSON object with the content type application/json.' };
	}
	if (isDeeper(envelope, MAX_DEPTH)) return { fault: 'The body is nested too deeply.' };
	const { trigger, data } = envelope;
	if (typeof trigger !== 'string' || !EVENT_NAME.test(trigger)) {
		return { fault: 'The body has no "trigger", so it is not an event of CometChat.' };
	}
	if (!isObject(data)) return { fault: 'The body has no "data" object.' };
	if (isOfOlderKind(data)) {
		return {
			fault: `"${trigger}" comes from the older kind of CometChat webhook. Set up a webhook under Settings → Webhooks instead.`,
		};
	}
	return { trigger, data, appId: envelope.appId, envelope };
}
