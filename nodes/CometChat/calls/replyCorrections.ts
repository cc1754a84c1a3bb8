import type { IDataObject } from 'n8n-workflow';

import { getRefusalCodeFromError } from '../errors/refusal';
import { getErrorResponseOfFailedAttempts } from '../transport/failure';
import { asObjectOrEmpty, valueToText, createFieldReader } from '../helpers/json';
import { expandPath } from '../transport/path';
import type { RestRequest } from '../transport/restTypes';
import type { RefusedReplyCorrectionPaths, ParameterValues } from '../types';

interface RefusedReplyCorrection {
	/** True if this correction applies to the error of the refused reply */
	isNeeded: (error: unknown) => boolean;
	/**
	 * @param message the message that the reply is for
	 * @returns the corrected request, or undefined if the message doesn't contain the data needed for the
	 * correction
	 */
	correct: (request: RestRequest, message: IDataObject) => RestRequest | undefined;
}

/**
 * Creates the corrections that a refused reply can need. The first one adds the receiver, which CometChat may require
 * (open question 18). The second one is for a reply to a reply, and sends it to the thread that contains both.
 */
export const createRefusedReplyCorrections = (
	paths: RefusedReplyCorrectionPaths,
	values: ParameterValues,
): RefusedReplyCorrection[] => [
	{ isNeeded: isMissingReceiverError, correct: addReceiver },
	{
		isNeeded: (error) => getRefusalCodeFromError(error) === 'ERR_MESSAGE_THREAD_NESTING',
		correct: (request, { parentId }) => {
			if (valueToText(parentId) === '') return undefined;
			const path = expandPath(paths.threadReply, { ...values, messageId: valueToText(parentId) });
			return { ...request, path };
		},
	},
];

const RECEIVER_FIELDS = ['receiver', 'receiverType'];

/**
 * True if CometChat refused a message because it has no receiver. Checks only the error code and the field names in
 * the error details. Ignores CometChat's error message, which may quote a user's text with "receiver".
 */
function isMissingReceiverError(error: unknown): boolean {
	if (getRefusalCodeFromError(error) === 'ERR_EMPTY_RECEIVER') return true;
	const { body } = getErrorResponseOfFailedAttempts(error) ?? {};
	const details = asObjectOrEmpty(createFieldReader('error', 'details')(body));
	return RECEIVER_FIELDS.some((name) => Object.hasOwn(details, name));
}

/**
 * Adds the original message's receiver to a reply. If the replying user is that receiver, adds the original
 * sender instead.
 */
function addReceiver(request: RestRequest, message: IDataObject): RestRequest {
	const { headers = {}, body } = request;
	const { sender, receiver, receiverType } = message;
	const isOwn = (uid: unknown) =>
		valueToText(uid).toLowerCase() === headers.onBehalfOf?.toLowerCase();
	const other = receiverType === 'user' && isOwn(receiver) ? sender : receiver;
	return { ...request, body: { ...body, receiver: other, receiverType } };
}
