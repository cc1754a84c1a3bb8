import { limit, returnAll } from '../../fields/listFields';
import { onBehalfOf } from '../../fields/userAndGroup';
import type { Operation } from '../../description/types';
import { listedMessage } from './entity';
import { threadMessageId } from './fields';

export const listReplies: Operation = {
	name: 'List Replies',
	value: 'listReplies',
	action: 'List replies to message',
	description: 'List the replies in the thread of a message, oldest first',
	routing: { request: { method: 'GET', url: '/messages/{messageId}/thread' } },
	response: { many: listedMessage, by: 'pageOrCursor' },
	fields: [threadMessageId, returnAll, limit, onBehalfOf],
};
