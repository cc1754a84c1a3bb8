import { conversationResource } from './conversation';
import { groupResource } from './group';
import { messageResource } from './message';
import { moderationResource } from './moderation';
import { userResource } from './user';

/** Resources in the order of the node's 'Resource' menu. */
export const resources = [
	messageResource,
	conversationResource,
	groupResource,
	userResource,
	moderationResource,
];
