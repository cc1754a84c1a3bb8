import { InputError } from '../errors/describedErrors';
import { isEmptyObject } from '../helpers/json';
import type { Field, ParameterValues } from '../types';
import { getLabelsByFieldName } from './fieldTree';
import { isNullishOrBlankOrEmptyList } from './texts';

/**
 * True if n8n shows a field, given the values of earlier fields. Ignores conditions on other parameters, e.g. on the
 * resource and the operation.
 */
export function isShown({ displayOptions }: Field, values: ParameterValues): boolean {
	const { show = {}, hide = {} } = displayOptions ?? {};
	const matches = ([path, allowed]: [string, unknown]) =>
		Array.isArray(allowed) && allowed.includes(values[toName(path)]);
	return (
		Object.entries(show).every((each) => !(toName(each[0]) in values) || matches(each)) &&
		!Object.entries(hide).some(matches)
	);
}

/** Returns the labels of the fields that n8n shows, so that errors advise only about these fields. */
export const getLabelsByShownFieldName = (
	fields: readonly Field[],
	values: ParameterValues,
): Record<string, string> => getLabelsByFieldName(fields.filter((field) => isShown(field, values)));

/** Returns the field name in a display condition, without the leading slash that marks a top-level field. */
const toName = (path: string) => path.replace(/^\//, '');

/**
 * Rejects a value in a field that the current choice hides, because the value would silently have no effect. The editor
 * shows such a field if the choice is an expression. Allows values in fields that a boolean or a field with
 * `ignoresHidden` hides.
 *
 * @throws InputError that names the choice that shows the field
 */
export function refuseHiddenValue(
	fields: readonly Field[],
	values: ParameterValues,
	field: Field,
	given: unknown,
): void {
	const { displayName, displayOptions } = field;
	if (isNullishOrBlankOrEmptyList(given) || isEmptyObject(given)) return;
	for (const [path, allowed = []] of Object.entries(displayOptions?.show ?? {})) {
		const chooser = fields.find(({ name }) => name === toName(path));
		if (chooser?.ignoresHidden) continue;
		// Allow a value in a field that a boolean hides, e.g. in 'Limit' if 'Return All' is on
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
