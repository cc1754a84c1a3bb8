import { filtersOf } from '../../fields/filters';
import { limit, returnAll } from '../../fields/listFields';
import { groupId, onBehalfOf, userId } from '../../fields/userAndGroup';
import { userForFilters } from '../../fields/checks';
import type { Operation } from '../../description/types';
import { fromBeforeTo } from './checks';
import { listedMessage } from './entity';
import { messageFilters } from './filters';

export const list: Operation = {
	name: 'List',
	value: 'list',
	action: 'List messages',
	description: 'List the messages of a group, a user or the whole app, newest or oldest first',
	routing: { request: { method: 'GET', url: '/messages' } },
	response: { many: listedMessage, by: 'time' },
	check: userForFilters,
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
					description: 'With On Behalf Of: the conversation of both users',
					routing: { request: { url: '/users/{userId}/messages' } },
				},
				{ name: 'Whole App', value: 'app' },
			],
			default: 'group',
			description: 'Whose messages to list',
		},
		{
			...groupId,
			description: 'Group whose messages to list',
			displayOptions: { show: { messagesOf: ['group'] } },
		},
		{
			...userId,
			description: 'User whose messages to list',
			displayOptions: { show: { messagesOf: ['user'] } },
		},
		returnAll,
		limit,
		{
			displayName: 'Order',
			name: 'order',
			type: 'options',
			options: [
				{ name: 'Newest First', value: 'newestFirst' },
				{ name: 'Oldest First', value: 'oldestFirst' },
			],
			default: 'newestFirst',
			description: 'Where the list starts. With a limit, it decides which messages you get.',
		},
		filtersOf('message', messageFilters, fromBeforeTo),
		onBehalfOf,
	],
};
