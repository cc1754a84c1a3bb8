import { sendAsField } from '../../fields/onBehalfOf';
import type { Operation } from '../../types';
import {
	setFinalTypeInBodyWithUrlFiles,
	checkMediaHasFilesOrCaption,
	binaryFieldUploadSettings,
} from './attachments';
import { sendAdditionalFieldsField, newMessageContentFields } from './contentFields';
import { messageEntity } from './entity';
import { listConversationQueueKeys, receiverFields } from './fields';

export const sendMessage: Operation = {
	name: 'Send',
	value: 'send',
	action: 'Send message',
	description: 'Send text, files or custom data to a group or a user',
	routing: { request: { method: 'POST', url: '/messages' } },
	rateLimit: 'send',
	response: { one: messageEntity },
	changeWords: { done: 'sent the message', placeToCheck: 'the conversation' },
	sequentialBy: listConversationQueueKeys,
	check: checkMediaHasFilesOrCaption,
	inputFiles: binaryFieldUploadSettings,
	adjustBody: setFinalTypeInBodyWithUrlFiles,
	fields: [...receiverFields, ...newMessageContentFields, sendAsField, sendAdditionalFieldsField],
};
