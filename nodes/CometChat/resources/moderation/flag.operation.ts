import { requiredOnBehalfOfField } from '../../fields/onBehalfOf';
import type { Operation } from '../../types';
import { messageIdField } from '../message/fields';
import { flagConfirmationRowType } from './entity';
import { flagReasonField, flagRemarkField } from './fields';

export const flagMessage: Operation = {
	name: 'Report Message',
	value: 'flag',
	action: 'Report message',
	description: 'Report a message to the moderators on behalf of a user (CometChat: flag)',
	routing: { request: { method: 'POST', url: '/messages/{messageId}/flagged' } },
	response: {
		one: flagConfirmationRowType,
		columnParameters: { id: 'messageId', reasonId: 'reasonId' },
	},
	changeWords: { done: 'reported the message', placeToCheck: 'the reported messages' },
	sequentialBy: ['messageId', 'onBehalfOf'],
	fields: [
		messageIdField,
		flagReasonField,
		flagRemarkField,
		{
			...requiredOnBehalfOfField,
			displayName: 'Reported By',
			description: 'User who reports the message',
		},
	],
};
