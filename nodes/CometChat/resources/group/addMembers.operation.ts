import { options } from '../../fields/retryOptions';
import { groupId, onBehalfOf } from '../../fields/userAndGroup';
import { checkIds } from '../../operation/checks';
import type { Operation } from '../../operation/types';
import { addedMember } from './entity';
import { addedMemberOutput } from './fields';

export const addMembers: Operation = {
	name: 'Add Members',
	value: 'addMembers',
	action: 'Add members to group',
	description: 'Add users to a group: one item per user, also for one that could not be added',
	routing: { request: { method: 'POST', url: '/groups/{groupId}/members' } },
	kind: 'core',
	response: { each: addedMember, of: 'uids', batchSize: 25, failed: 'users could not be added' },
	change: { done: 'added the members', inspect: 'the members of the group' },
	fields: [
		groupId,
		{
			displayName: 'UIDs',
			name: 'uids',
			type: 'string',
			typeOptions: { multipleValues: true, multipleValueButtonText: 'Add UID' },
			required: true,
			default: [],
			placeholder: 'e.g. cometchat-uid-1',
			description: 'UIDs of the users to add, any number. An expression can return a list.',
			check: checkIds,
		},
		{
			displayName: 'Scope',
			name: 'scope',
			type: 'options',
			options: [
				{
					name: 'Admin',
					value: 'admin',
					description: 'May manage the group and its members',
					routing: { send: { type: 'body', property: 'admins', value: '={{ $parameter.uids }}' } },
				},
				{
					name: 'Moderator',
					value: 'moderator',
					description: 'May manage messages and participants',
					routing: {
						send: { type: 'body', property: 'moderators', value: '={{ $parameter.uids }}' },
					},
				},
				{
					name: 'Participant',
					value: 'participant',
					description: 'May read and send messages',
					routing: {
						send: { type: 'body', property: 'participants', value: '={{ $parameter.uids }}' },
					},
				},
			],
			default: 'participant',
			description: 'What the users may do in the group',
		},
		onBehalfOf,
		...addedMemberOutput,
		options,
	],
};
