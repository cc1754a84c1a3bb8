import { InputError } from '../errors/describedErrors';
import { isEmptyObject } from '../helpers/json';
import type { Field, FieldRelations, ParameterValues } from '../types';
import {
	flattenValues,
	findLabelByFieldName,
	isFieldNotOption,
	listFieldsAndCollectionFields,
} from './fieldTree';
import { isShown } from './hiddenFields';
import { isNullishOrBlankOrEmptyList } from './texts';

/** A field or a selected choice, with its relations to other fields. */
interface LabeledRelations extends FieldRelations {
	label: string;
}

/** True if a value counts as set. Empty values, empty objects and `false` don't count. */
const isFilledOrOn = (value: unknown): boolean =>
	!isNullishOrBlankOrEmptyList(value) && value !== false && !isEmptyObject(value);

/** True if a field, or one of its `options`, has `needs` or `excludes`. */
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
			listFieldsAndCollectionFields([top]).flatMap((field) =>
				hasRelations(field) ? { field, top } : [],
			),
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
 * Checks the `needs` and `excludes` of each field that has a value, and of the field's selected choices.
 *
 * @param values checked values of the fields and collections
 * @throws InputError that names both fields, if a needed field has no value, or an excluded field has one
 */
export function checkFieldRelations(fields: readonly Field[], values: ParameterValues): void {
	const related = listFieldsWithRelations(fields);
	if (related.length === 0) return;
	const all = flattenValues(fields, values);
	for (const { field, top } of related) {
		const value = all[field.name];
		if (!isFilledOrOn(value) || !isShown(top, values)) continue;
		// Search the field's own collection first, because a hidden collection can have fields with the same names
		const labeled = [top, ...fields];
		for (const { label, needs = [], excludes = [] } of listRelations(field, value)) {
			const missing = needs.find((name) => !isFilledOrOn(all[name]));
			if (missing !== undefined) {
				const other = findLabelByFieldName(labeled, missing);
				throw new InputError(
					other,
					`is empty, but '${label}' requires it`,
					`Fill in '${other}', or remove '${label}'.`,
				);
			}
			const excluded = excludes.find((name) => isFilledOrOn(all[name]));
			if (excluded !== undefined) {
				const other = findLabelByFieldName(labeled, excluded);
				throw new InputError(label, `can't be combined with '${other}'`, 'Use only one of them.');
			}
		}
	}
}

/**
 * Adds a hint to each field that needs or excludes other fields, also inside collections. The hint names the other
 * fields, and replaces the field's own hint. If two fields are in `fields`, and one excludes the other, both get a hint.
 *
 * @param all all fields of the operation or the trigger
 */
export function addRelationHintsToFields(fields: Field[], all: readonly Field[] = fields): Field[] {
	const getLabels = (names: string[]) =>
		names.map((name) => findLabelByFieldName([...fields, ...all], name));
	return fields.map((field) => {
		const { name, needs = [], excludes = [], options } = field;
		const excludedBy = fields.filter((other) => other.excludes?.includes(name));
		const excluded = [...excludes, ...excludedBy.map((other) => other.name)];
		const texts = [
			...(needs.length > 0 ? [`Requires ${getLabels(needs).join(' and ')}`] : []),
			...(excluded.length > 0 ? [`Not together with ${getLabels(excluded).join(' or ')}`] : []),
		];
		const inner = addRelationHintsToFields((options ?? []).filter(isFieldNotOption), all);
		return {
			...field,
			...(inner.length > 0 ? { options: inner } : {}),
			...(texts.length > 0 ? { hint: texts.join('. ') } : {}),
		};
	});
}
