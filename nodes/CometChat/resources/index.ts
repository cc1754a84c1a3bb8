import { groups } from './group';
import { messages } from './message';
import { moderation } from './moderation';
import { users } from './user';

/** What the node works with, in the order of its menu. */
export const resources = [messages, groups, users, moderation];
