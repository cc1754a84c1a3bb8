import type { Operation } from '../../types';
import { messageIdField } from '../message/fields';
import { reviewConfirmationRowType } from './entity';
import { decisionFieldForEachQueue, queueFieldForReview } from './fields';

export const reviewMessage: Operation = {
	name: 'Review',
	value: 'review',
	action: 'Review message',
	description: 'Keep or block a message that was reported or blocked',
	routing: { request: { method: 'PATCH', url: '/moderation/flagged-messages/{messageId}' } },
	response: {
		one: reviewConfirmationRowType,
		columnParameters: { id: 'messageId', queue: 'queue', decision: 'decision' },
	},
	changeWords: { done: 'reviewed the message', placeToCheck: 'the queues' },
	sequentialBy: ['messageId'],
	errors: {
		ERR_MESSAGE_ID_NOT_FOUND: {
			message: 'The message is not in this queue',
			fieldsToCheck: ['messageId', 'queue'],
			advice: 'Someone may have reviewed it. Moderation → List also shows reviewed messages',
		},
	},
	fields: [queueFieldForReview, messageIdField, ...decisionFieldForEachQueue],
};
