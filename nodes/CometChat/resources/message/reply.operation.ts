import { requiredOnBehalfOfField } from '../../fields/onBehalfOf';
import type { Operation } from '../../types';
import {
	setFinalTypeInBodyWithUrlFiles,
	checkMediaHasFilesOrCaption,
	binaryFieldUploadSettings,
} from './attachments';
import { answerAndReplyAdditionalFieldsField, newMessageContentFields } from './contentFields';
import { messageEntity } from './entity';
import { messageIdField } from './fields';

export const replyToMessage: Operation = {
	name: 'Reply',
	value: 'reply',
	action: 'Reply to message',
	description: "Send text, files or custom data to a message's thread",
	routing: { request: { method: 'POST', url: '/messages/{messageId}/thread' } },
	rateLimit: 'send',
	response: {
		one: messageEntity,
		refusedReplyCorrection: {
			repliedTo: '/messages/{messageId}',
			threadReply: '/messages/{messageId}/thread',
		},
	},
	changeWords: { done: 'sent the reply', placeToCheck: 'the thread' },
	sequentialBy: ['messageId'],
	check: checkMediaHasFilesOrCaption,
	inputFiles: binaryFieldUploadSettings,
	adjustBody: setFinalTypeInBodyWithUrlFiles,
	fields: [
		{
			...messageIdField,
			description:
				'ID of the message to reply to. If it is a reply itself, your reply goes to the same thread.',
		},
		...newMessageContentFields,
		{
			...requiredOnBehalfOfField,
			displayName: 'Send As',
			description:
				'User who sends the reply: a group member, or one of the two users in the conversation',
		},
		answerAndReplyAdditionalFieldsField,
	],
};
