import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { updateDisplayOptions } from 'n8n-workflow';

import { requiredOnBehalfOf } from '../../shared/onBehalfOf';
import { oneMessage } from './message';

const reaction: INodeProperties = {
	displayName: 'Reaction',
	name: 'reaction',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 👍',
	description:
		'The reaction to remove, an emoji or a text token, exactly as it was added: skin tones and invisible variants count',
};

export const removeReaction: INodePropertyOptions = {
	name: 'Remove Reaction',
	value: 'removeReaction',
	action: 'Remove a reaction from a message',
	description: 'Remove one reaction that a user made to a message, and return the message',
	routing: {
		request: { method: 'DELETE', url: '/messages/{messageId}/reactions/{reaction}' },
		operations: { pagination: oneMessage(true) },
		send: { paginate: true },
	},
};

export const removeReactionFields: INodeProperties[] = updateDisplayOptions(
	{ show: { resource: ['message'], operation: ['removeReaction'] } },
	[reaction, requiredOnBehalfOf],
);
