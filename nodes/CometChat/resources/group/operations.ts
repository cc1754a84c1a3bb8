export { list } from './list.operation';
export { get } from './get.operation';
export { create } from './create.operation';
export { update } from './update.operation';
export { deleteGroup } from './delete.operation';
export { listMembers } from './listMembers.operation';
export { addMembers } from './addMembers.operation';
export { removeMember } from './removeMember.operation';
