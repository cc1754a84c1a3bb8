import { userIdField } from '../../fields/userAndGroup';
import type { Operation } from '../../types';
import { authTokenRowType } from './entity';

export const createAuthToken: Operation = {
	name: 'Create Auth Token',
	value: 'createAuthToken',
	action: 'Create auth token',
	description:
		'Create a token with which a user logs in. It is a secret: anyone who has it can act as the user.',
	routing: { request: { method: 'POST', url: '/users/{userId}/auth_tokens' } },
	response: { one: authTokenRowType },
	changeWords: { done: 'created the auth token', placeToCheck: 'the auth tokens of the user' },
	sequentialBy: ['userId'],
	fields: [
		userIdField,
		{
			displayName: 'Force',
			name: 'force',
			type: 'boolean',
			default: false,
			description: 'Whether to force CometChat to generate a new token',
			routing: { send: { type: 'body', property: 'force' } },
		},
	],
};
