import { InputError } from '../errors/inputError';
import { isEmptyObject } from '../helpers/json';
import type { Field, FieldRelations, Values } from '../types';
import { flattenValues, getLabel, isField, flattenFields } from './fieldTree';
import { isShown } from './hiddenFields';
import { isEmpty } from './texts';

/** A field or a selected choice, with its relations to other fields. */
interface LabeledRelations extends FieldRelations {
	label: string;
}

/** True if a field has a value. A boolean that is off has no effect, so it counts as not set. */
const isFilledOrOn = (value: unknown): boolean =>
	!isEmpty(value) && value !== false && !isEmptyObject(value);

/** True if a field, or one of its choices, can need or exclude another field. */
const hasRelations = ({ needs, excludes, options = [] }: Field): boolean =>
	[{ needs, excludes }, ...options].some(
		(each) => ('needs' in each && each.needs) || ('excludes' in each && each.excludes),
	);

/** A field that has relations, and the top-level field that is or contains the field. */
interface RelatedField {
	field: Field;
	top: Field;
}

const relatedFieldsCache = new WeakMap<readonly Field[], RelatedField[]>();

/** Lists the fields that require or exclude other fields. Caches the list, which is needed for every item. */
function listFieldsWithRelations(fields: readonly Field[]): RelatedField[] {
	const known =
		relatedFieldsCache.get(fields) ??
		fields.flatMap((top) =>
			flattenFields([top]).flatMap((field) => (hasRelations(field) ? { field, top } : [])),
		);
	relatedFieldsCache.set(fields, known);
	return known;
}

/** Lists a field's relations and the relations of its selected choices. */
function listRelations(
	{ displayName, needs, excludes, options }: Field,
	value: unknown,
): LabeledRelations[] {
	const choices = (options ?? []).flatMap((choice) =>
		'value' in choice && [value].flat().includes(choice.value)
			? { ...choice, label: `${displayName}: ${choice.name}` }
			: [],
	);
	return [{ label: displayName, needs, excludes }, ...choices];
}

/**
 * Checks the fields that have a value. The fields that such a field or its choice needs must have a value, too. The
 * fields that it excludes must not.
 *
 * @param values checked values of the fields and collections
 * @throws InputError that names both fields
 */
export function checkRelations(fields: readonly Field[], values: Values): void {
	const related = listFieldsWithRelations(fields);
	if (related.length === 0) return;
	const all = flattenValues(fields, values);
	for (const { field, top } of related) {
		const value = all[field.name];
		if (!isFilledOrOn(value) || !isShown(top, values)) continue;
		// Prefers labels from the field's own collection, because a hidden collection can have fields with the same names
		const labeled = [top, ...fields];
		for (const { label, needs = [], excludes = [] } of listRelations(field, value)) {
			const missing = needs.find((name) => !isFilledOrOn(all[name]));
			if (missing !== undefined) {
				const other = getLabel(labeled, missing);
				throw new InputError(
					other,
					`is empty, but '${label}' requires it`,
					`Fill in '${other}', or remove '${label}'.`,
				);
			}
			const excluded = excludes.find((name) => isFilledOrOn(all[name]));
			if (excluded !== undefined) {
				const other = getLabel(labeled, excluded);
				throw new InputError(label, `can't be combined with '${other}'`, 'Use only one of them.');
			}
		}
	}
}

/**
 * Adds a hint to each field that needs or excludes other fields, also inside collections. The hint names these
 * fields, and replaces the field's own hint. If one of `fields` excludes another one, both get the hint.
 *
 * @param all all fields of the operation or the trigger
 */
export function setRelationHints(fields: Field[], all: readonly Field[] = fields): Field[] {
	const getLabels = (names: string[]) => names.map((name) => getLabel([...fields, ...all], name));
	return fields.map((field) => {
		const { name, needs = [], excludes = [], options } = field;
		const excludedBy = fields.filter((other) => other.excludes?.includes(name));
		const excluded = [...excludes, ...excludedBy.map((other) => other.name)];
		const texts = [
			...(needs.length > 0 ? [`Requires ${getLabels(needs).join(' and ')}`] : []),
			...(excluded.length > 0 ? [`Not together with ${getLabels(excluded).join(' or ')}`] : []),
		];
		const inner = setRelationHints((options ?? []).filter(isField), all);
		return {
			...field,
			...(inner.length > 0 ? { options: inner } : {}),
			...(texts.length > 0 ? { hint: texts.join('. ') } : {}),
		};
	});
}
