import type { Field, Values } from '../description/types';

/**
 * Whether n8n shows a field. Its names are of fields that come before it; a name that is not there is
 * that of the resource or the operation, which is right already.
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
 * Labels of the fields that n8n shows, by their names, those in collections too; that of a field in the
 * node's Settings says so.
 *
 * @param values left out for all fields
 */
export function labelsOf(fields: readonly Field[], values: Values = {}): Record<string, string> {
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
