import { sendAsField } from '../../fields/onBehalfOf';
import type { Operation } from '../../types';
import {
	markAndQuoteInAnswerBody,
	answerOperationOptionsField,
	quotedQuestionIdField,
} from './answerBody';
import { checkMediaHasFilesOrCaption, binaryFieldUploadSettings } from './attachments';
import { answerAndReplyAdditionalFieldsField, answerContentFields } from './contentFields';
import { messageEntity } from './entity';
import { listConversationQueueKeys, receiverFields, newMessageThreadField } from './fields';
import { readAnswerValuesFromBotTrigger } from './botQuestion';

export const answerAsBot: Operation = {
	name: 'Answer',
	value: 'answer',
	action: 'Answer message to bot',
	description: 'Answer where the bot was asked, as the bot',
	builderHint: {
		propertyHint:
			'Use anywhere behind a CometChat Bot Trigger of the same workflow. Needs no receiver and no sender: both come from the message that started the workflow.',
	},
	routing: { request: { method: 'POST', url: '/messages' } },
	rateLimit: 'send',
	response: { one: messageEntity },
	changeWords: { done: 'sent the answer', placeToCheck: 'the conversation' },
	errors: {
		ERR_UID_NOT_FOUND: {
			message: 'No active user has the UID of the bot, or of the person who asked',
			advice: 'User → Reactivate brings back a deactivated user',
		},
	},
	sequentialBy: listConversationQueueKeys,
	check: checkMediaHasFilesOrCaption,
	inputFiles: binaryFieldUploadSettings,
	adjustBody: markAndQuoteInAnswerBody,
	fromEarlierNodes: {
		fields: [...receiverFields, sendAsField, newMessageThreadField, quotedQuestionIdField],
		read: readAnswerValuesFromBotTrigger,
	},
	fields: [
		...answerContentFields,
		answerAndReplyAdditionalFieldsField,
		answerOperationOptionsField,
	],
};
