import { InputError } from '../errors/inputError';
import { isEmptyObject } from '../helpers/json';
import type { Field, Values } from '../types';
import { isEmpty } from './texts';

/**
 * True if n8n shows a field for these values of earlier fields. Conditions on other parameters are ignored, e.g.
 * on the resource and operation.
 */
export function isShown({ displayOptions }: Field, values: Values): boolean {
	const { show = {}, hide = {} } = displayOptions ?? {};
	const matches = ([path, allowed]: [string, unknown]) =>
		Array.isArray(allowed) && allowed.includes(values[toName(path)]);
	return (
		Object.entries(show).every((each) => !(toName(each[0]) in values) || matches(each)) &&
		!Object.entries(hide).some(matches)
	);
}

/**
 * Returns the field name in a display condition. A leading slash marks a top-level field (not inside a
 * collection).
 */
const toName = (path: string) => path.replace(/^\//, '');

/**
 * Rejects a value in a field that a choice hides, since the value would silently have no effect. A choice can be an
 * expression, and then hide the field for only some items. `ignoresHidden` turns the check off for a field's
 * choices.
 *
 * @throws InputError that names the choice that shows the field
 */
export function refuseHiddenValue(
	fields: readonly Field[],
	values: Values,
	field: Field,
	given: unknown,
): void {
	const { displayName, displayOptions } = field;
	if (isEmpty(given) || isEmptyObject(given)) return;
	for (const [path, allowed = []] of Object.entries(displayOptions?.show ?? {})) {
		const chooser = fields.find(({ name }) => name === toName(path));
		if (chooser?.ignoresHidden) continue;
		// A boolean that hides a field, e.g. 'Return All', turns the field off, so a value in the hidden field is
		// allowed
		if (chooser?.type !== 'options' || allowed.includes(values[chooser.name] as string)) continue;
		const names = (chooser.options ?? []).flatMap((option) =>
			'value' in option && allowed.includes(option.value) ? option.name : [],
		);
		throw new InputError(
			displayName,
			`requires '${chooser.displayName}' to be ${names.join(' or ')}`,
			`Clear '${displayName}', or change '${chooser.displayName}'.`,
		);
	}
}
