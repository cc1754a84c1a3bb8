import type { Resource } from '../../description/types';
import { operationsOf } from '../operationsOf';
import { addMembers } from './addMembers.operation';
import { banMember } from './banMember.operation';
import { changeScope } from './changeScope.operation';
import { create } from './create.operation';
import { deleteGroup } from './delete.operation';
import { get } from './get.operation';
import { list } from './list.operation';
import { listBanned } from './listBanned.operation';
import { listMembers } from './listMembers.operation';
import { removeMember } from './removeMember.operation';
import { unbanMember } from './unbanMember.operation';
import { update } from './update.operation';

export const groups: Resource = {
	name: 'Group',
	value: 'group',
	description: 'What to do with groups',
	operations: operationsOf([
		list,
		get,
		create,
		update,
		deleteGroup,
		listMembers,
		addMembers,
		removeMember,
		changeScope,
		banMember,
		unbanMember,
		listBanned,
	]),
	defaultOperation: 'list',
};
