import { requiredOnBehalfOf } from '../../fields/userAndGroup';
import type { Operation } from '../../description/types';
import { messageId } from '../message/fields';
import { flagged } from './entity';
import { reasonId, remark } from './fields';

export const flag: Operation = {
	name: 'Flag Message',
	value: 'flag',
	action: 'Flag message',
	description: 'Report a message to the moderators in the name of a user',
	routing: { request: { method: 'POST', url: '/messages/{messageId}/flagged' } },
	response: { one: flagged, ids: { id: 'messageId', reasonId: 'reasonId' } },
	change: { done: 'flagged the message', inspect: 'the flagged messages' },
	inOrder: ['messageId', 'onBehalfOf'],
	fields: [
		messageId,
		reasonId,
		{
			...requiredOnBehalfOf,
			displayName: 'Reported By',
			description: 'User who reports the message',
		},
		remark,
	],
};
