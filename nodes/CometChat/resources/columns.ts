import type { Columns, Entity } from '../description/types';

/** Returns nothing: the value of the column comes from the request. */
export const fromRequest = () => undefined;

/** `pages` of an entity whose lists can go on later, from the time or the ID in the cursor. */
export const PAGES_WITH_CURSOR =
	'One item per page: the whole response with its cursor, to page through long lists or to go on from the cursor later';

/** What the service sends when something is done: that it is, a sentence about it, or a note. */
export const createConfirmation = (columns: Columns): Entity => ({
	name: 'confirmation',
	plural: 'confirmations',
	id: 'message',
	example: 'success',
	columns,
});
