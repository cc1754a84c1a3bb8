import type { IDataObject } from 'n8n-workflow';

import { readRefusalCode } from '../errors/serviceWords';
import { getRefusal } from '../transport/failure';
import { asObject, stringify, createFieldReader } from '../helpers/json';
import { expandPath } from '../transport/path';
import type { RestRequest } from '../transport/types';
import type { ReplyRequestPaths, Values } from '../types';

/** Correction of a reply that CometChat refused. */
interface ReplyCorrection {
	/** True if CometChat refused the reply for the reason that the correction removes */
	isNeeded: (error: unknown) => boolean;
	/**
	 * @param message the message that the reply is for
	 * @returns the corrected request, or undefined if the message lacks what the correction needs
	 */
	correct: (request: RestRequest, message: IDataObject) => RestRequest | undefined;
}

/**
 * Creates the corrections of a reply. Each of them can be needed at most once. Open question 18: a reply may
 * need a receiver.
 */
export const createReplyCorrections = (
	paths: ReplyRequestPaths,
	values: Values,
): ReplyCorrection[] => [
	{ isNeeded: asksForReceiver, correct: addReceiver },
	{
		isNeeded: (error) => readRefusalCode(error) === 'ERR_MESSAGE_THREAD_NESTING',
		correct: (request, { parentId }) => {
			if (stringify(parentId) === '') return undefined;
			const path = expandPath(paths.thread, { ...values, messageId: stringify(parentId) });
			return { ...request, path };
		},
	},
];

/** Names of the fields that say who receives a message. */
const RECEIVER_FIELDS = ['receiver', 'receiverType'];

/**
 * True if CometChat refused a message because it names no receiver. A refused text can contain the word, too, so
 * only the error's code and the names of the fields in its details count.
 */
function asksForReceiver(error: unknown): boolean {
	if (readRefusalCode(error) === 'ERR_EMPTY_RECEIVER') return true;
	const { body } = getRefusal(error) ?? {};
	const details = asObject(createFieldReader('error', 'details')(body));
	return RECEIVER_FIELDS.some((name) => Object.hasOwn(details, name));
}

/** Adds the conversation's receiver, as seen from the sender, to a message. */
function addReceiver(request: RestRequest, message: IDataObject): RestRequest {
	const { headers = {}, body } = request;
	const { sender, receiver, receiverType } = message;
	const isOwn = (uid: unknown) =>
		stringify(uid).toLowerCase() === headers.onBehalfOf?.toLowerCase();
	const other = receiverType === 'user' && isOwn(receiver) ? sender : receiver;
	return { ...request, body: { ...body, receiver: other, receiverType } };
}
