export { list } from './list.operation';
export { get } from './get.operation';
export { create } from './create.operation';
export { update } from './update.operation';
export { deleteUser } from './delete.operation';
export { deactivate } from './deactivate.operation';
export { reactivate } from './reactivate.operation';
export { createAuthToken } from './createAuthToken.operation';
