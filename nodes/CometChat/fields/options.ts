import type { INodePropertyOptions } from 'n8n-workflow';

import type { Field } from '../types';

/** Creates options whose values are their names in lowercase. */
export const createLowerCaseOptions = (...names: string[]): INodePropertyOptions[] =>
	names.map((name) => ({ name, value: name.toLowerCase() }));

export const createOptionsCollection = (description: string, options: Field[]): Field => ({
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add Option',
	default: {},
	description,
	options,
});
