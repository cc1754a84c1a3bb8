import { limit, returnAll } from '../../fields/listFields';
import type { Operation } from '../../description/types';
import { queued } from './entity';
import { queueToList } from './fields';

export const list: Operation = {
	name: 'List',
	value: 'list',
	action: 'List messages to moderate',
	description: 'List the messages that were reported, blocked or reviewed',
	routing: { request: { method: 'GET', url: '/moderation/flagged-messages' } },
	response: { many: queued, by: 'queue' },
	fields: [queueToList, returnAll, limit],
};
