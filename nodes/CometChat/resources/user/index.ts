import type { Resource } from '../../types';
import { completeOperations } from '../completeOperations';
import { blockUsers } from './blockUsers.operation';
import { createUser } from './create.operation';
import { createAuthToken } from './createAuthToken.operation';
import { deactivateUser } from './deactivate.operation';
import { deleteUser } from './delete.operation';
import { getUser } from './get.operation';
import { listUsers } from './list.operation';
import { listBlockedUsers } from './listBlocked.operation';
import { reactivateUser } from './reactivate.operation';
import { unblockUsers } from './unblockUsers.operation';
import { updateUser } from './update.operation';

export const userResource: Resource = {
	name: 'User',
	value: 'user',
	description: 'Operation on users',
	operations: completeOperations([
		listUsers,
		getUser,
		createUser,
		updateUser,
		deleteUser,
		deactivateUser,
		reactivateUser,
		createAuthToken,
		blockUsers,
		unblockUsers,
		listBlockedUsers,
	]),
	defaultOperation: 'list',
};
