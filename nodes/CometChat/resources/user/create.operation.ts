import { optionsOf } from '../../fields/options';
import type { Operation } from '../../description/types';
import { createdUser } from './entity';
import { additionalFields, ifExists, name, uid } from './fields';

export const create: Operation = {
	name: 'Create',
	value: 'create',
	action: 'Create user',
	description: 'Create a user, with an auth token if you want one',
	routing: { request: { method: 'POST', url: '/users' } },
	kind: 'core',
	response: {
		one: createdUser,
		existing: {
			code: 'ERR_UID_ALREADY_EXISTS',
			path: '/users/{uid}',
			onlyNew: ['uid', 'withAuthToken'],
		},
	},
	change: { done: 'created the user', inspect: 'the user' },
	inOrder: ['uid'],
	fields: [uid, name, additionalFields, optionsOf('What to do if the user exists', [ifExists])],
};
