import { onBehalfOfField } from '../../fields/onBehalfOf';
import { groupIdField } from '../../fields/userAndGroup';
import type { Operation } from '../../types';
import { deleteGroupConfirmationRowType } from './entity';

export const deleteGroup: Operation = {
	name: 'Delete',
	value: 'delete',
	action: 'Delete group',
	description: 'Delete a group with its memberships and messages. This cannot be undone.',
	routing: { request: { method: 'DELETE', url: '/groups/{groupId}' } },
	response: { one: deleteGroupConfirmationRowType, columnParameters: { guid: 'groupId' } },
	sequentialBy: ['groupId'],
	fields: [groupIdField, onBehalfOfField],
};
