import type { INodeProperties } from 'n8n-workflow';

/** Labels of all fields by their names, those in collections too. */
export function labelsOf(fields: INodeProperties[]): Record<string, string> {
	const all = fields.flatMap((field) => [
		field,
		...(field.options ?? []).filter((option) => 'type' in option),
	]);
	return Object.fromEntries(all.map(({ name, displayName }) => [name, displayName]));
}
