import { groups } from './group';
import { messages } from './message';

/** What the node works with, in the order of its menu. */
export const resources = [groups, messages];
