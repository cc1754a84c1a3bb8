import { limitField, replyListOptionsField, returnAllField } from '../../fields/listFields';
import { onBehalfOfField } from '../../fields/onBehalfOf';
import type { Operation } from '../../types';
import { listedMessageEntity } from './entity';
import { threadToListField } from './fields';

export const listReplies: Operation = {
	name: 'List Replies',
	value: 'listReplies',
	action: 'List replies to message',
	description: 'List the replies in the thread of a message, oldest first',
	routing: { request: { method: 'GET', url: '/messages/{messageId}/thread' } },
	response: {
		many: listedMessageEntity,
		pagedBy: 'pageOrCursor',
		firstMessagePath: '/messages/{messageId}',
	},
	fields: [threadToListField, onBehalfOfField, returnAllField, limitField, replyListOptionsField],
};
