import type { Columns, Entity } from '../description/types';

/** Reader for a column whose value comes from the request, not from the response. */
export const columnFromRequest = () => undefined;

/** Creates the entity for a response that only confirms a change, e.g. with a success flag or a sentence. */
export const createConfirmation = (columns: Columns): Entity => ({
	name: 'confirmation',
	plural: 'confirmations',
	id: 'message',
	columns,
});
