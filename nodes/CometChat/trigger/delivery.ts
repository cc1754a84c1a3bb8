import { jsonParse, type IDataObject } from 'n8n-workflow';

import { isDeeperThan, isObject } from '../transport/json';

/** The envelope of one event, as CometChat posts it. */
export interface Delivery {
	/** Name of the event, e.g. "message_sent" */
	trigger: string;
	data: IDataObject;
	appId?: IDataObject[string];
	/** The whole body, including the fields above */
	envelope: IDataObject;
}

/** A body that contains no event. */
export interface InvalidDelivery {
	/** The reason, as whole sentences for the caller */
	fault: string;
}

const EVENT_NAME = /^[\w.:-]{1,100}$/;

/** Maximum depth of a body. CometChat's bodies have about ten levels; n8n can't store thousands. */
const MAX_DEPTH = 100;

/**
 * Whether a legacy webhook sent the data. There, `data` itself is the message or the receipt, or
 * contains a connection event. Event names are no sign: both kinds of webhook share names of receipts,
 * and both have names that begin with "after_".
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

/** Parses a body that n8n left as text because its content type is not JSON. */
function parseBody(body: unknown): unknown {
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
 * @param body as n8n parsed it, of any type
 * @returns the envelope of a known or unknown event, or the reason why the body contains none
 */
export function readDelivery(body: unknown): Delivery | InvalidDelivery {
	const envelope = parseBody(body);
	if (!isObject(envelope)) {
		return { fault: 'The body is not a JSON object with the content type application/json.' };
	}
	if (isDeeperThan(envelope, MAX_DEPTH)) return { fault: 'The body is nested too deeply.' };
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
