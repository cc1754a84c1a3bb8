import { limitField, numberedPagesOptionsField, returnAllField } from '../../fields/listFields';
import { userIdField } from '../../fields/userAndGroup';
import type { Operation } from '../../types';
import { friendEntity } from './entity';

export const listFriends: Operation = {
	name: 'List Friends',
	value: 'listFriends',
	action: 'List friends of user',
	description: 'List the friends of a user',
	routing: { request: { method: 'GET', url: '/users/{userId}/friends' } },
	response: { many: friendEntity, pagedBy: 'page', columnParameters: { userId: 'userId' } },
	fields: [userIdField, returnAllField, limitField, numberedPagesOptionsField],
};
