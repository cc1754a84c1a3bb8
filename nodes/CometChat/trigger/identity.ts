import type { Delivery } from './delivery';
import { familyOf } from './events';

/**
 * How long a delivery is remembered, in seconds. The service repeats one that got no response after
 * 10 and again after 30 seconds; the rest is for what may hold a delivery up on its way.
 */
const REMEMBERED = 3_600;

/**
 * The same for a delivery without a time or an ID of its own. When the same happens again (a user
 * leaves a group, joins it and leaves it again) the delivery may be alike in every field: within
 * this time it counts as a repetition.
 */
const REMEMBERED_BY_CONTENT = 120;

/** What a delivery is recognised by when it comes again. */
export interface Identity {
	/** The same for deliveries of the same event, else different */
	key: string;
	/** How long it is to be remembered, in seconds */
	lifetime: number;
}

const KEY_BYTES = 8;

async function digest(text: string): Promise<string> {
	const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
	return [...new Uint8Array(hash, 0, KEY_BYTES)]
		.map((byte) => byte.toString(16).padStart(2, '0'))
		.join('');
}

/**
 * Deliveries have no ID. What makes one out of its content: the app, the event, and what the event's
 * family names; the whole of `data` where that is not there. The webhook's name is left out: two
 * webhooks for the same address tell of the same events.
 */
export async function identityOf({ trigger, appId, data }: Delivery): Promise<Identity> {
	const values = familyOf(trigger)?.identity(data);
	const isKnown = values?.every((value) => value !== undefined && value !== null) ?? false;
	return {
		key: await digest(JSON.stringify([appId ?? '', trigger, isKnown ? values : data])),
		lifetime: isKnown ? REMEMBERED : REMEMBERED_BY_CONTENT,
	};
}
