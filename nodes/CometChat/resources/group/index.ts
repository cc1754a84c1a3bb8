import type { Resource } from '../../types';
import { addSharedFieldsAndPrecompileRouting } from '../addSharedFields';
import { addMembers } from './addMembers.operation';
import { banMember } from './banMember.operation';
import { changeMemberScope } from './changeScope.operation';
import { createGroup } from './create.operation';
import { deleteGroup } from './delete.operation';
import { getGroup } from './get.operation';
import { getMember } from './getMember.operation';
import { listGroups } from './list.operation';
import { listBannedMembers } from './listBanned.operation';
import { listMembers } from './listMembers.operation';
import { removeMember } from './removeMember.operation';
import { unbanMember } from './unbanMember.operation';
import { updateGroup } from './update.operation';

export const groupResource: Resource = {
	name: 'Group',
	value: 'group',
	description: 'Operation on groups',
	operations: addSharedFieldsAndPrecompileRouting([
		listGroups,
		getGroup,
		createGroup,
		updateGroup,
		deleteGroup,
		listMembers,
		getMember,
		addMembers,
		removeMember,
		changeMemberScope,
		banMember,
		unbanMember,
		listBannedMembers,
	]),
	defaultOperation: 'list',
};
