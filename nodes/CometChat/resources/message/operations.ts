export * from './get.operation';
export * from './removeReaction.operation';
export * from './send.operation';
export * from './list.operation';
export * from './update.operation';
export * from './delete.operation';
export * from './addReaction.operation';
export * from './listReactions.operation';
