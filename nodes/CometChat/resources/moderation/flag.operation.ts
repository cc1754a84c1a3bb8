import { requiredOnBehalfOf } from '../../fields/userAndGroup';
import type { Operation } from '../../description/types';
import { messageId } from '../message/fields';
import { flagged } from './entity';
import { reasonId, remark } from './fields';

export const flag: Operation = {
	name: 'Report Message',
	value: 'flag',
	action: 'Report message',
	description: 'Report a message to the moderators in the name of a user (CometChat: flag)',
	routing: { request: { method: 'POST', url: '/messages/{messageId}/flagged' } },
	response: { one: flagged, ids: { id: 'messageId', reasonId: 'reasonId' } },
	change: { done: 'reported the message', inspect: 'the reported messages' },
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
