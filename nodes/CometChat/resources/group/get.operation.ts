import { onBehalfOfField } from '../../fields/onBehalfOf';
import { groupIdField } from '../../fields/userAndGroup';
import type { Operation } from '../../types';
import { groupWithOnBehalfOfColumnsEntity } from './entity';

export const getGroup: Operation = {
	name: 'Get',
	value: 'get',
	action: 'Get group',
	description: 'Get a group by its GUID',
	routing: { request: { method: 'GET', url: '/groups/{groupId}' } },
	response: { one: groupWithOnBehalfOfColumnsEntity },
	fields: [groupIdField, onBehalfOfField],
};
