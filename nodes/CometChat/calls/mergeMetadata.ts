import type { IDataObject } from 'n8n-workflow';

import { formatList, capitalizeTitleWords } from '../helpers/formatText';
import { DescribedError } from '../errors/describedErrors';
import { isObject, stringifyJson } from '../helpers/json';

type Value = IDataObject[string];

/** Maximum number of keys to name in an error. */
const MAX_NAMED_KEYS = 3;

/**
 * Merges new metadata into the stored metadata, at every depth. Refuses to merge an object into a list, because
 * CometChat may replace the list (open question 39).
 *
 * @param entityName singular name of the entity that has the metadata, e.g. "user"
 * @throws DescribedError if an object would replace a stored list, text, number or boolean
 */
export function mergeMetadataObjectsOrThrow(
	entityName: string,
	stored: unknown,
	added: Value,
): Value {
	return merge(entityName, stored, added, []);
}

/** @param path keys that lead from the metadata to `stored` and `added` */
function merge(entityName: string, stored: unknown, added: Value, path: string[]): Value {
	if (!isObject(added)) return added;
	const current = isBlank(stored) ? {} : stored;
	if (!isObject(current)) throw createConflictError(entityName, current, added, path);
	const merged = Object.entries(added).map(([key, value]): [string, Value] => [
		key,
		merge(entityName, Object.hasOwn(current, key) ? current[key] : undefined, value, [
			...path,
			key,
		]),
	]);
	return { ...current, ...Object.fromEntries(merged) };
}

/** True if replacing a value loses nothing. PHP, in which CometChat may be written, encodes `{}` as `[]`. */
const isBlank = (value: unknown) =>
	value === undefined || value === null || value === '' || stringifyJson(value) === '[]';

function createConflictError(
	entityName: string,
	stored: unknown,
	added: IDataObject,
	path: string[],
): DescribedError {
	const keys = Object.keys(added);
	const names = keys.slice(0, MAX_NAMED_KEYS).map((key) => `'${key}'`);
	if (keys.length > MAX_NAMED_KEYS) names.push('others');
	const place = path.length === 0 ? 'The' : `'${path.join('.')}' in the`;
	const type = Array.isArray(stored) ? 'list' : typeof stored === 'string' ? 'text' : 'value';
	const cleared = stringifyJson(
		path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), null),
	);
	return new DescribedError(
		`${place} ${entityName}'s metadata is a ${type}, so ${formatList(names) || 'an object'} can't be added to it`,
		`Nothing was changed, because CometChat may replace the ${type}. If you don't need the ${type}, first ${
			path.length === 0
				? `clear it with ${capitalizeTitleWords(entityName)} → Update, 'Unset' → Metadata.`
				: `set it to null with ${capitalizeTitleWords(entityName)} → Update, 'Metadata': ${cleared}.`
		}`,
	);
}
