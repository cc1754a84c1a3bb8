import { limitField, returnAllField } from '../../fields/listFields';
import type { Operation } from '../../types';
import { moderationQueueMessageEntity } from './entity';
import { queueFieldForList } from './fields';

export const listModerationQueue: Operation = {
	name: 'List',
	value: 'list',
	action: 'List messages to moderate',
	description: 'List the messages that were reported, blocked or reviewed, at most 100',
	routing: { request: { method: 'GET', url: '/moderation/flagged-messages' } },
	response: { many: moderationQueueMessageEntity, pagedBy: 'queue' },
	fields: [queueFieldForList, returnAllField, limitField],
};
