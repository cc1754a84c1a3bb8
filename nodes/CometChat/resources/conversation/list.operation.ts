import { createFiltersField } from '../../fields/filters';
import { limitField, numberedPagesOptionsField, returnAllField } from '../../fields/listFields';
import { requiredOnBehalfOfField } from '../../fields/onBehalfOf';
import type { Operation } from '../../types';
import { conversationEntity } from './entity';
import { conversationFilterFields } from './filters';

/**
 * Requires 'On Behalf Of'. CometChat declares the user as optional, but conversations and unread counts belong to
 * a user.
 */
export const listConversations: Operation = {
	name: 'List',
	value: 'list',
	action: 'List conversations',
	description:
		'List the conversations of a user, each with its last message and number of unread messages',
	routing: { request: { method: 'GET', url: '/conversations' } },
	response: { many: conversationEntity, pagedBy: 'page' },
	fields: [
		requiredOnBehalfOfField,
		returnAllField,
		limitField,
		createFiltersField('conversation', conversationFilterFields),
		numberedPagesOptionsField,
	],
};
