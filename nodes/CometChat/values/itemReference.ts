import { isSafeObjectProperty, type IDataObject } from 'n8n-workflow';

import { isObject } from '../transport/json';

/** An expression that only names a field of the item, as dragging a field into a parameter creates. */
const REFERENCE = /^=\{\{ *\$json((?:\.[A-Za-z_]\w*)+) *\}\}$/;

/** Undefined in older n8n versions, which refuse no names. */
const isAllowed: ((name: string) => boolean) | undefined = isSafeObjectProperty;

/**
 * Resolves a parameter whose expressions only name fields of the item, e.g. `={{ $json.user.uid }}`.
 * n8n evaluates each expression in an isolate, which takes about as long as an item's request. Reading
 * a field directly is much faster.
 *
 * @param readJson returns the item that `$json` refers to; may throw
 * @returns undefined if n8n has to evaluate the parameter: for any other expression, and for a field
 *   that is missing or isn't a text, number or boolean
 */
export function resolveReferences(parameter: unknown, readJson: () => IDataObject): unknown {
	if (typeof parameter === 'string') {
		return parameter.startsWith('=') ? resolveReference(parameter, readJson) : parameter;
	}
	if (!isObject(parameter)) return Array.isArray(parameter) ? undefined : parameter;
	const resolved: IDataObject = {};
	for (const [key, inner] of Object.entries(parameter)) {
		const value = resolveReferences(inner, readJson);
		if (value === undefined) return undefined;
		resolved[key] = value as IDataObject[string];
	}
	return resolved;
}

function resolveReference(expression: string, readJson: () => IDataObject): unknown {
	const [, path] = REFERENCE.exec(expression) ?? [];
	if (path === undefined) return undefined;
	let value: unknown;
	try {
		value = readJson();
	} catch {
		return undefined; // n8n's own evaluation reports the error
	}
	for (const name of path.slice(1).split('.')) {
		if (isAllowed?.(name) === false || !isObject(value)) return undefined;
		if (!Object.prototype.hasOwnProperty.call(value, name)) return undefined;
		value = value[name];
	}
	return ['string', 'number', 'boolean'].includes(typeof value) ? value : undefined;
}
