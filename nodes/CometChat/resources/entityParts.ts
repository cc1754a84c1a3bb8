import { fieldReader } from '../transport/json';
import type { Columns, Entity } from '../types';

/** Reader for a column whose value comes from the request, not from the response. */
export const columnFromRequest = () => undefined;

/** Creates columns that have the same names as the fields they read. */
export const pickFields = (...names: string[]): Columns =>
	Object.fromEntries(names.map((name) => [name, fieldReader(name)]));

/** Creates the entity for a response that only confirms a change, e.g. with a success flag or a sentence. */
export const createConfirmation = (columns: Columns): Entity => ({
	name: 'confirmation',
	plural: 'confirmations',
	id: 'message',
	columns,
});
