import { groupResource } from './group';
import { messageResource } from './message';
import { moderationResource } from './moderation';
import { userResource } from './user';

/** What the node works with, in the order of its menu. */
export const resources = [messageResource, groupResource, userResource, moderationResource];
