import type { Field, Values } from '../description/types';

/**
 * True if n8n shows a field. Its conditions name earlier fields. Conditions on the resource and the
 * operation, which `values` lacks, always hold.
 */
export function isShown({ displayOptions }: Field, values: Values): boolean {
	const { show = {}, hide = {} } = displayOptions ?? {};
	const matches = ([path, allowed]: [string, unknown]) => {
		const name = path.replace(/^\//, '');
		return !(name in values) || (Array.isArray(allowed) && allowed.includes(values[name]));
	};
	const isHidden = ([path, hidden]: [string, unknown]) =>
		path.replace(/^\//, '') in values && matches([path, hidden]);
	return Object.entries(show).every(matches) && !Object.entries(hide).some(isHidden);
}

/**
 * Labels of the shown fields by name, including fields in collections. A label in the node's Settings
 * begins with "Settings → ".
 *
 * @param values without values, every field counts as shown
 */
export function getFieldLabels(
	fields: readonly Field[],
	values: Values = {},
): Record<string, string> {
	const all = fields
		.filter((field) => isShown(field, values))
		.flatMap((field) => [
			field,
			...(field.options ?? [])
				.filter((option) => 'type' in option)
				.filter((option) => isShown(option, values)),
		]);
	return Object.fromEntries(
		all.map(({ name, displayName, isNodeSetting }) => [
			name,
			isNodeSetting ? `Settings → ${displayName}` : displayName,
		]),
	);
}
