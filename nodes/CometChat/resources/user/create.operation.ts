import { ERRORS_BY_COMETCHAT_CODE } from '../../errors/table';
import { IF_EXISTS_ADVICE } from '../../fields/commonFields';
import { createOptionsCollection } from '../../fields/options';
import type { Operation } from '../../types';
import { createdUserEntity } from './entity';
import { additionalFieldsFieldForCreate, ifExistsField, nameField, newUidField } from './fields';

export const createUser: Operation = {
	name: 'Create',
	value: 'create',
	action: 'Create user',
	description: 'Create a user, optionally with an auth token',
	routing: { request: { method: 'POST', url: '/users' } },
	rateLimit: 'core',
	response: {
		one: createdUserEntity,
		existing: {
			code: 'ERR_UID_ALREADY_EXISTS',
			path: '/users/{uid}',
			onlyNew: ['uid', 'withAuthToken'],
		},
	},
	changeWords: { done: 'created the user', placeToCheck: 'the user' },
	sequentialBy: ['uid'],
	errors: {
		ERR_UID_ALREADY_EXISTS: {
			...ERRORS_BY_COMETCHAT_CODE.ERR_UID_ALREADY_EXISTS,
			advice: IF_EXISTS_ADVICE,
		},
		// CometChat hides deactivated users, but their UIDs can't be reused
		ERR_UID_NOT_FOUND: {
			message: 'A deactivated user has this UID',
			advice: 'User → Reactivate brings them back',
		},
	},
	fields: [
		newUidField,
		nameField,
		additionalFieldsFieldForCreate,
		createOptionsCollection('What to do if the user exists', [ifExistsField]),
	],
};
