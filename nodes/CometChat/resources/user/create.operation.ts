import type { Operation } from '../../operation/types';
import { createdUser } from './entity';
import { additionalFields, name, uid } from './fields';

export const create: Operation = {
	name: 'Create',
	value: 'create',
	action: 'Create user',
	description: 'Create a user, with an auth token if you want one',
	routing: { request: { method: 'POST', url: '/users' } },
	kind: 'core',
	response: { one: createdUser },
	change: { done: 'created the user', inspect: 'the user' },
	inOrder: ['uid'],
	fields: [uid, name, additionalFields],
};
