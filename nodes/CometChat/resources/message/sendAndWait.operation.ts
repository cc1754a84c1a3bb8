import { sendAsField } from '../../fields/onBehalfOf';
import type { Operation } from '../../types';
import { messageEntity } from './entity';
import {
	listConversationQueueKeys,
	receiverFields,
	textField,
	newMessageThreadField,
} from './fields';
import { responseTypeFields, createSendAndWaitOptionsField } from './answerFields';

export const sendAndWait: Operation = {
	name: 'Send and Wait for Response',
	value: 'sendAndWait',
	action: 'Send message and wait for response',
	description: 'Ask a group or a user a question, and wait until someone answers through its link',
	builderHint: {
		propertyHint:
			"Sends one question for all input items, with the first item's values. The output is one item with only `data`: `answered` (false after 'Limit Wait Time', then without the rest), `approved` (Approval), `answer` (Choice) or `text` (Free Text), `comment`, `respondedBy` and `respondedAt`. Get earlier values with expr('{{ $(\"Node\").item.json.field }}').",
	},
	routing: { request: { method: 'POST', url: '/messages' } },
	rateLimit: 'send',
	response: { one: messageEntity },
	changeWords: { done: 'sent the message', placeToCheck: 'the conversation' },
	sequentialBy: listConversationQueueKeys,
	hasOwnRunner: true,
	fields: [
		...receiverFields,
		{
			...textField,
			displayName: 'Message',
			name: 'message',
			typeOptions: { rows: 4 },
			placeholder: 'e.g. Delete 3 messages of Makers?',
			description: 'The question to ask',
			hint: 'Asks once. To ask per item, return every branch to Loop Over Items. Anyone with the link can answer.',
			routing: {
				request: { body: { category: 'message', type: 'text' } },
				send: { type: 'body', property: 'data.text' },
			},
		},
		...responseTypeFields,
		sendAsField,
		createSendAndWaitOptionsField(newMessageThreadField),
	],
};
