import { BY_CODE } from '../../errors/table';
import { OR_SET_IF_EXISTS } from '../../fields/body';
import { optionsOf } from '../../fields/options';
import type { Operation } from '../../description/types';
import { createdUser } from './entity';
import { updateOfUser } from './update.operation';
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
			change: updateOfUser,
		},
	},
	change: { done: 'created the user', inspect: 'the user' },
	inOrder: ['uid'],
	errors: {
		ERR_UID_ALREADY_EXISTS: { ...BY_CODE.ERR_UID_ALREADY_EXISTS, advice: OR_SET_IF_EXISTS },
		// CometChat doesn't reveal deactivated users, but their UIDs stay taken
		ERR_UID_NOT_FOUND: {
			message: 'A deactivated user has this UID',
			advice: 'User → Reactivate brings them back',
		},
	},
	fields: [uid, name, additionalFields, optionsOf('What to do if the user exists', [ifExists])],
};
