import { isSafeObjectProperty, type IDataObject } from 'n8n-workflow';

import { isObject } from '../transport/json';

/** An expression that only names a field of the item: what dragging a field into a parameter makes. */
const REFERENCE = /^=\{\{ *\$json((?:\.[A-Za-z_]\w*)+) *\}\}$/;

/** Older versions of n8n have no such function, nor names that they refuse. */
const isAllowed: ((name: string) => boolean) | undefined = isSafeObjectProperty;

/**
 * Resolves a parameter whose expressions only name fields of the item, like `={{ $json.user.uid }}`.
 * n8n evaluates each expression in an isolate, which takes about as long as the request of an item;
 * reading a field does not need one.
 *
 * @param readJson gives the item that n8n means by `$json`; may throw
 * @returns undefined when only n8n can tell: for any other expression, and for a field that is
 *   missing or holds no text, number, true or false
 */
export function resolveReferences(parameter: unknown, readJson: () => IDataObject): unknown {
	if (typeof parameter === 'string') {
		return parameter.startsWith('=') ? referenced(parameter, readJson) : parameter;
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

function referenced(expression: string, readJson: () => IDataObject): unknown {
	const [, path] = REFERENCE.exec(expression) ?? [];
	if (path === undefined) return undefined;
	let value: unknown;
	try {
		value = readJson();
	} catch {
		return undefined; // n8n has words of its own for that
	}
	for (const name of path.slice(1).split('.')) {
		if (isAllowed?.(name) === false || !isObject(value)) return undefined;
		if (!Object.prototype.hasOwnProperty.call(value, name)) return undefined;
		value = value[name];
	}
	return ['string', 'number', 'boolean'].includes(typeof value) ? value : undefined;
}
