import type { INodeProperties } from 'n8n-workflow';

import type { DropdownOptionWithRelations, Field } from '../nodes/CometChat/types';

/** A field of a node or of an operation, at any depth. */
export interface Place {
	field: Field;
	/** Collections that contain the field, starting with the outermost */
	parents: Field[];
	/** Names that lead to the field's value in the parameters */
	path: string[];
}

/** Lists the choices of a menu. */
export const choicesOf = ({
	options = [],
}: Pick<INodeProperties, 'options'>): DropdownOptionWithRelations[] =>
	options.filter((option) => 'value' in option);

/**
 * Lists fields, and the fields inside their collections. A collection precedes its fields. Hidden fields in a
 * collection, which only refuse values, are left out.
 */
export function listPlaces(
	fields: readonly Field[],
	parents: Field[] = [],
	path: string[] = [],
): Place[] {
	const listed = fields.filter(({ type }) => parents.length === 0 || type !== 'hidden');
	return listed.flatMap((field): Place[] => {
		const within = [...parents, field];
		const inner = [...path, field.name];
		const places = (field.options ?? []).flatMap((option) => {
			if ('values' in option)
				return listPlaces(option.values, within, [...inner, option.name, '0']);
			return 'type' in option ? listPlaces([option], within, inner) : [];
		});
		return [{ field, parents, path: inner }, ...places];
	});
}

/** True if a field contains a value itself, unlike a collection or a notice. */
export const isLeaf = ({ field: { type } }: Place): boolean =>
	!['collection', 'fixedCollection', 'notice'].includes(type);

/** Sets the value at a path, and creates the collections that lead to the value. */
export function setAtPath(parameters: object, path: string[], value: unknown): void {
	const [name, ...rest] = path;
	if (rest.length > 0) {
		const inner: unknown = Reflect.get(parameters, name) ?? (rest[0] === '0' ? [] : {});
		Reflect.set(parameters, name, inner);
		setAtPath(Object(inner), rest, value);
	} else if (value === undefined) Reflect.deleteProperty(parameters, name);
	else Reflect.set(parameters, name, value);
}
