import type { Resource } from '../../types';
import { addSharedFieldsAndPrecompileRouting } from '../addSharedFields';
import { addFriends } from './addFriends.operation';
import { blockUsers } from './blockUsers.operation';
import { createUser } from './create.operation';
import { createAuthToken } from './createAuthToken.operation';
import { deactivateUser } from './deactivate.operation';
import { deleteUser } from './delete.operation';
import { getUser } from './get.operation';
import { listUsers } from './list.operation';
import { listBlockedUsers } from './listBlocked.operation';
import { listFriends } from './listFriends.operation';
import { reactivateUser } from './reactivate.operation';
import { removeFriends } from './removeFriends.operation';
import { signOutUser } from './signOut.operation';
import { unblockUsers } from './unblockUsers.operation';
import { updateUser } from './update.operation';

export const userResource: Resource = {
	name: 'User',
	value: 'user',
	description: 'Operation on users',
	operations: addSharedFieldsAndPrecompileRouting([
		listUsers,
		getUser,
		createUser,
		updateUser,
		deleteUser,
		deactivateUser,
		reactivateUser,
		createAuthToken,
		signOutUser,
		blockUsers,
		unblockUsers,
		listBlockedUsers,
		addFriends,
		removeFriends,
		listFriends,
	]),
	defaultOperation: 'list',
};
