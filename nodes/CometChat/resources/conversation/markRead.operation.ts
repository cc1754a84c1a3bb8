import { requiredOnBehalfOfField } from '../../fields/onBehalfOf';
import { groupIdField, userIdField } from '../../fields/userAndGroup';
import type { Operation } from '../../types';
import { listConversationQueueKeys } from '../message/fields';
import { markReadConfirmationRowType } from './entity';
import { markReadReceiverTypeField, lastMessageIdField } from './fields';

// Open question 42 in docs/status.md: CometChat may accept the request without a message, for the whole conversation
export const markConversationRead: Operation = {
	name: 'Mark as Read',
	value: 'markRead',
	action: 'Mark conversation as read',
	description: 'Mark the messages of a conversation as read by a user, up to a message',
	routing: { request: { method: 'POST', url: '/groups/{groupId}/conversation/read' } },
	response: {
		one: markReadConfirmationRowType,
		columnParameters: {
			receiver: ['groupId', 'userId'],
			receiverType: 'receiverType',
			messageId: 'messageId',
			uid: 'onBehalfOf',
		},
	},
	changeWords: { done: 'marked the messages as read', placeToCheck: 'the unread messages' },
	sequentialBy: listConversationQueueKeys,
	fields: [
		markReadReceiverTypeField,
		{ ...groupIdField, displayOptions: { show: { receiverType: ['group'] } } },
		{ ...userIdField, displayOptions: { show: { receiverType: ['user'] } } },
		lastMessageIdField,
		requiredOnBehalfOfField,
	],
};
