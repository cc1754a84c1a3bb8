import { limitField, numberedPagesOptionsField, returnAllField } from '../../fields/listFields';
import { groupIdField } from '../../fields/userAndGroup';
import type { Operation } from '../../types';
import { bannedMemberEntity } from './entity';

export const listBannedMembers: Operation = {
	name: 'List Banned Members',
	value: 'listBanned',
	action: 'List banned members of group',
	description: 'List the users who are banned from a group',
	routing: { request: { method: 'GET', url: '/groups/{groupId}/bannedusers' } },
	response: { many: bannedMemberEntity, pagedBy: 'page', columnParameters: { guid: 'groupId' } },
	fields: [groupIdField, returnAllField, limitField, numberedPagesOptionsField],
};
