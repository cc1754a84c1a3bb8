import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../../helpers/json';

/** A message that CometChat relays to a bot. */
export interface RelayedMessage {
	message: IDataObject;
	/** The entire request body */
	envelope: IDataObject;
}

/**
 * Reads a message from a request body.
 *
 * @param envelope the body as n8n parsed it, or an item of the Bot Trigger
 * @returns the message, or the reason why the body isn't a message for a bot, as a sentence for the caller
 */
export function readRelayedMessage(envelope: unknown): RelayedMessage | string {
	if (!isObject(envelope)) {
		return 'The body is not a JSON object with the content type application/json.';
	}
	const { trigger, data } = envelope;
	if (trigger !== 'after_message' || !isObject(data)) {
		return 'The body is not a message to a bot, which has the trigger "after_message" and an object in "data".';
	}
	const isMessage = [data.sender, data.receiver, data.receiverType].every(
		(value) => typeof value === 'string',
	);
	return isMessage
		? { message: data, envelope }
		: 'The message in "data" has no sender, receiver or receiverType.';
}

/** Returns where to answer a message: the group, or the sender of a private message. */
export const getReplyReceiver = ({ receiverType, receiver, sender }: IDataObject): unknown =>
	receiverType === 'group' ? receiver : sender;
