import { asObjectOrEmpty } from '../helpers/json';
import type { Field, ParameterValues } from '../types';

export const isFieldNotOption = (option: object): option is Field => 'type' in option;

/** Returns a flat list of the fields and the fields inside collections. Includes the collections themselves. */
export const listFieldsAndCollectionFields = (fields: readonly Field[]): Field[] =>
	fields.flatMap((field) => [
		field,
		...listFieldsAndCollectionFields((field.options ?? []).filter(isFieldNotOption)),
	]);

/**
 * Finds a field by its name, also inside collections, and returns its label. If no field has the name, returns the
 * name.
 */
export const findLabelByFieldName = (fields: readonly Field[], name: string): string =>
	listFieldsAndCollectionFields(fields).find((field) => field.name === name)?.displayName ?? name;

/** Returns the labels of all fields, keyed by name, including fields in collections. */
export const getLabelsByFieldName = (fields: readonly Field[]): Record<string, string> =>
	Object.fromEntries(
		listFieldsAndCollectionFields(fields).map(({ name, displayName }) => [name, displayName]),
	);

/**
 * Returns the values of all fields, keyed by name, including fields in collections. A top-level field takes precedence
 * over a field in a collection. Objects that aren't collections, e.g. the value of a JSON field, aren't flattened.
 */
export const flattenValues = (fields: readonly Field[], values: ParameterValues): ParameterValues =>
	Object.assign(
		{},
		...fields.map(({ name, type }) => (type === 'collection' ? asObjectOrEmpty(values[name]) : {})),
		values,
	) as ParameterValues;
