import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../../helpers/json';

/** A message that CometChat relays to a bot. */
export interface MessageToBotWithWebhookBody {
	message: IDataObject;
	/** The entire request body */
	envelope: IDataObject;
}

/**
 * Reads a message from a request body.
 *
 * @param envelope the body as n8n parsed it, or the JSON of a Bot Trigger's item
 * @returns the message, or a sentence for the caller that says why the body isn't a message to a bot
 */
export function readMessageToBotOrProblem(envelope: unknown): MessageToBotWithWebhookBody | string {
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

/** Returns the ID of an answer's receiver: the group, or the sender of a private message. */
export const getReplyReceiverId = ({ receiverType, receiver, sender }: IDataObject): unknown =>
	receiverType === 'group' ? receiver : sender;
