import { groups } from './group';
import { messages } from './message';
import { users } from './user';

/** What the node works with, in the order of its menu. */
export const resources = [groups, messages, users];
