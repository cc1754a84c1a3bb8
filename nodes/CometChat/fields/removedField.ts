import { InputError } from '../errors/inputError';
import { formatList } from '../helpers/formatText';
import type { Field } from '../types';

/** Creates the display condition for a field that has a value. */
const createHasValueCondition = () => [{ _cnd: { exists: true as const } }];

/**
 * Creates the hidden field for a name that a collection no longer offers. With this field, n8n keeps the stored
 * value, so that the value is refused instead of ignored. After the user adds a replacing field, n8n removes the
 * value.
 *
 * @param replacements fields of the same collection that replace the field
 */
export function createRemovedField(name: string, replacements: Field[]): Field {
	const labels = replacements.map(({ displayName }) => `'${displayName}'`);
	return {
		displayName: name,
		name,
		type: 'hidden',
		default: '',
		// n8n's editor offers a collection's hidden fields, unless a condition excludes them
		displayOptions: {
			show: { [name]: createHasValueCondition() },
			hide: Object.fromEntries(replacements.map((each) => [each.name, createHasValueCondition()])),
		},
		routing: {},
		convert: () => {
			throw new InputError(
				name,
				`was replaced by ${formatList(labels)}`,
				`Add ${labels.join(' or ')}, which also removes '${name}'.`,
			);
		},
	};
}
