import { createFiltersField } from '../../fields/filters';
import { limitField, messageListOptionsField, returnAllField } from '../../fields/listFields';
import { onBehalfOfField } from '../../fields/onBehalfOf';
import { groupIdField, userIdField } from '../../fields/userAndGroup';
import type { Operation } from '../../types';
import { checkTimeRange } from './messageChecks';
import { listedMessageEntity } from './entity';
import { messageFilterFields } from './filters';

export const listMessages: Operation = {
	name: 'List',
	value: 'list',
	action: 'List messages',
	description: 'List the messages of a group, a user or the whole app, newest or oldest first',
	routing: { request: { method: 'GET', url: '/messages' } },
	response: { many: listedMessageEntity, pagedBy: 'id' },
	fields: [
		{
			displayName: 'Messages Of',
			name: 'messagesOf',
			type: 'options',
			options: [
				{
					name: 'Group',
					value: 'group',
					routing: { request: { url: '/groups/{groupId}/messages' } },
				},
				{
					name: 'User',
					value: 'user',
					description: 'With On Behalf Of, the conversation between both users',
					routing: { request: { url: '/users/{userId}/messages' } },
				},
				{ name: 'Whole App', value: 'app' },
			],
			default: 'group',
			description: 'Conversations to list messages from',
		},
		{
			...groupIdField,
			description: 'Group to list messages from',
			displayOptions: { show: { messagesOf: ['group'] } },
		},
		{
			...userIdField,
			description: 'User to list messages from',
			displayOptions: { show: { messagesOf: ['user'] } },
		},
		onBehalfOfField,
		returnAllField,
		limitField,
		createFiltersField('message', messageFilterFields, checkTimeRange),
		messageListOptionsField,
	],
};
