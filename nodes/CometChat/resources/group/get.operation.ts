import { groupId, onBehalfOf } from '../../fields/userAndGroup';
import type { Operation } from '../../description/types';
import { groupOfUser } from './entity';

export const get: Operation = {
	name: 'Get',
	value: 'get',
	action: 'Get group',
	description: 'Get one group by its GUID',
	routing: { request: { method: 'GET', url: '/groups/{groupId}' } },
	response: { one: groupOfUser },
	fields: [groupId, onBehalfOf],
};
