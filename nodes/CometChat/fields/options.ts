import type { Field } from '../description/types';

/** The "Options" collection. */
export const createOptionsField = (description: string, options: Field[]): Field => ({
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add Option',
	default: {},
	description,
	options,
});
