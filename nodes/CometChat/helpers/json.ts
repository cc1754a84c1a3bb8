import type { IDataObject } from 'n8n-workflow';

export function isObject(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** True for an object or a list. */
export const isObjectOrArray = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null;

export const isEmptyObject = (value: unknown): boolean =>
	isObject(value) && Object.keys(value).length === 0;

/** Returns an object unchanged, and an empty object for any other value. */
export function asObjectOrEmpty(value: unknown): IDataObject {
	return isObject(value) ? value : {};
}

/**
 * Converts any value to text, and never throws. Null and undefined become an empty string. Objects and lists
 * become JSON, because `String` throws if an object's `toString` isn't a function.
 */
export function valueToText(value: unknown): string {
	if (value === undefined || value === null) return '';
	return isPrimitive(value) ? String(value) : toJsonOrType(value);
}

const isPrimitive = (value: unknown): value is string | number | boolean | bigint | symbol =>
	typeof value !== 'object' && typeof value !== 'function';

/** Returns a value as JSON, or the name of its type if JSON can't contain the value. */
function toJsonOrType(value: unknown): string {
	try {
		return stringifyJson(value) ?? typeof value;
	} catch {
		return typeof value;
	}
}

/** Converts a number or a string as `Number` does. Any other value becomes NaN. */
export const toNumberOrNaN = (value: unknown): number =>
	typeof value === 'string' || typeof value === 'number' ? Number(value) : NaN;

/**
 * Returns a property of the table itself, or undefined. Ignores inherited properties, because a name that comes from
 * outside, e.g. from a response, can be "constructor".
 */
export const getOwnProperty = <T>(
	table: Readonly<Record<string, T>>,
	name: string,
): T | undefined => (Object.hasOwn(table, name) ? table[name] : undefined);

/**
 * Returns a string or number as text, without surrounding white space. Any other value becomes an empty string.
 */
export const toTrimmedText = (value: unknown): string =>
	typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';

/** `JSON.stringify` with its actual return type: undefined for a value that JSON can't contain. */
export const stringifyJson: (value: unknown) => string | undefined = JSON.stringify;

/**
 * Creates a function that reads a nested field, e.g. `createFieldReader('data', 'text')`. In a list, the key is an
 * index. The function returns undefined if a value lacks the field.
 */
export const createFieldReader =
	(...path: string[]) =>
	(object: unknown): unknown => {
		let inner = object;
		for (const key of path) {
			if (!isObjectOrArray(inner) || !Object.hasOwn(inner, key)) return undefined;
			inner = inner[key];
		}
		return inner;
	};

/**
 * Creates a function that reads the nested field at a dot-separated path, e.g. `createPathReader('data.text')`.
 */
export const createPathReader = (path: string) => createFieldReader(...path.split('.'));

/** Sets a property of the object itself. An assignment to `__proto__` would replace the object's prototype. */
function setOwn(target: IDataObject, key: string, value: unknown): void {
	Object.defineProperty(target, key, {
		value,
		writable: true,
		enumerable: true,
		configurable: true,
	});
}

/** Sets the nested field at a dot-separated path, e.g. "data.text". */
export function setFieldAtPath(target: IDataObject, path: string, value: unknown): void {
	const keys = path.split('.');
	const last = keys.pop() ?? path;
	let inner = target;
	for (const key of keys) {
		// Copy the nested object, because it may be part of the input or of a response
		const copy = { ...asObjectOrEmpty(getOwnProperty(inner, key)) };
		setOwn(inner, key, copy);
		inner = copy;
	}
	setOwn(inner, last, value);
}

/**
 * Merges two objects recursively. If either value isn't an object, the added value replaces the current
 * value.
 */
export function mergeDeeply<T>(current: unknown, added: T): T | IDataObject {
	if (!isObject(current) || !isObject(added)) return added;
	const merged = Object.fromEntries(
		Object.entries(added).map(([key, value]) => [
			key,
			mergeDeeply(getOwnProperty(current, key), value),
		]),
	);
	return { ...current, ...merged };
}
