import { onBehalfOfField } from '../../fields/onBehalfOf';
import { groupIdField } from '../../fields/userAndGroup';
import type { Operation } from '../../types';
import { groupWithOnBehalfOfColumnsEntity } from './entity';
import { updateFieldsField } from './fields';

export const updateGroup: Operation = {
	name: 'Update',
	value: 'update',
	action: 'Update group',
	description: 'Change the fields of a group',
	routing: { request: { method: 'PUT', url: '/groups/{groupId}' } },
	response: { one: groupWithOnBehalfOfColumnsEntity },
	sequentialBy: ['groupId'],
	fields: [groupIdField, onBehalfOfField, updateFieldsField],
};
