import type { IDataObject } from 'n8n-workflow';

import type { Columns, Entity } from '../description/types';

export const tagsText = ({ tags }: IDataObject) =>
	Array.isArray(tags) ? tags.join(', ') : undefined;

/** Reads nothing from the response: the column is what was asked for. */
export const asked = () => undefined;

/** `pages` of an entity whose lists can go on later, from the time or the ID in the cursor. */
export const PAGES_WITH_CURSOR =
	'One item per page: the whole response with its cursor, to page through long lists or to go on from the cursor later';

/** What the service sends when something is done: that it is, a sentence about it, or a note. */
export const confirmationOf = (columns: Columns): Entity => ({
	name: 'confirmation',
	plural: 'confirmations',
	id: 'message',
	example: 'success',
	columns,
});
