export { get } from './get.operation';
export { removeReaction } from './removeReaction.operation';
export { send } from './send.operation';
export { list } from './list.operation';
export { update } from './update.operation';
export { deleteMessage } from './delete.operation';
export { addReaction } from './addReaction.operation';
export { listReactions } from './listReactions.operation';
