import { limitField, returnAllField } from '../../fields/listFields';
import { onBehalfOfField } from '../../fields/onBehalfOf';
import type { Operation } from '../../types';
import { reactionEntity } from './entity';
import { messageIdField, reactionField } from './fields';

/**
 * Lists reactions by cursor. CometChat's sample response contains a cursor, but no parameter for the cursor or for
 * the page size is documented (open question 37 in docs/status.md).
 */
export const listReactions: Operation = {
	name: 'List Reactions',
	value: 'listReactions',
	action: 'List reactions to message',
	description: 'List the reactions to a message, with users and times',
	routing: { request: { method: 'GET', url: '/messages/{messageId}/reactions' } },
	response: { many: reactionEntity, pagedBy: 'cursor' },
	fields: [
		messageIdField,
		{
			...reactionField,
			required: false,
			description: 'List only this reaction. Leave empty to list all reactions.',
			routing: { request: { url: '/messages/{messageId}/reactions/{reaction}' } },
		},
		onBehalfOfField,
		returnAllField,
		limitField,
	],
};
