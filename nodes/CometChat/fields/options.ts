import type { Field } from '../description/types';

/** The "Options" collection. */
export const optionsOf = (description: string, options: Field[]): Field => ({
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add Option',
	default: {},
	description,
	options,
});
