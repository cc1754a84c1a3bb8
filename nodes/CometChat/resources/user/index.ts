import type { Resource } from '../../description/types';
import { operationsOf } from '../operationsOf';
import { blockUsers } from './blockUsers.operation';
import { create } from './create.operation';
import { createAuthToken } from './createAuthToken.operation';
import { deactivate } from './deactivate.operation';
import { deleteUser } from './delete.operation';
import { get } from './get.operation';
import { list } from './list.operation';
import { listBlocked } from './listBlocked.operation';
import { reactivate } from './reactivate.operation';
import { unblockUsers } from './unblockUsers.operation';
import { update } from './update.operation';

export const users: Resource = {
	name: 'User',
	value: 'user',
	description: 'What to do with users',
	operations: operationsOf([
		list,
		get,
		create,
		update,
		deleteUser,
		deactivate,
		reactivate,
		createAuthToken,
		blockUsers,
		unblockUsers,
		listBlocked,
	]),
	defaultOperation: 'list',
};
