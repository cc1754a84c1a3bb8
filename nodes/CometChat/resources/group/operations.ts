export * from './list.operation';
export * from './get.operation';
export * from './create.operation';
export * from './update.operation';
export * from './delete.operation';
export * from './listMembers.operation';
export * from './addMembers.operation';
export * from './removeMember.operation';
