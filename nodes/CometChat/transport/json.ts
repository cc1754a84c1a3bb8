import type { IDataObject } from 'n8n-workflow';

export function isObject(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** True for an object or a list. */
export const isContainer = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null;

export const isEmptyObject = (value: unknown): boolean =>
	isObject(value) && Object.keys(value).length === 0;

/** Returns an object unchanged, and an empty object for any other value. */
export function asObject(value: unknown): IDataObject {
	return isObject(value) ? value : {};
}

/** Converts a JSON value to text. Null and undefined become an empty string. */
export function asText(value: unknown): string {
	const text = String(value);
	return value === undefined || value === null ? '' : text;
}

/** Returns a string or number as text, without surrounding white space. Any other value becomes an empty string. */
export const asTrimmedText = (value: unknown): string =>
	typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';

/** `JSON.stringify` with its actual return type: undefined for a value that JSON can't contain. */
export const toJson: (value: unknown) => string | undefined = JSON.stringify;

/** Creates a function that reads a nested field, e.g. `fieldReader('data', 'text')`. Keys of a list are indexes. */
export const fieldReader =
	(...path: string[]) =>
	(value: unknown): unknown => {
		let inner = value;
		for (const key of path) {
			if (!isContainer(inner) || !Object.hasOwn(inner, key)) return undefined;
			inner = inner[key];
		}
		return inner;
	};

/**
 * Creates a function that reads the nested field at a dot-separated path, e.g. `readerByPath('data.text')`.
 */
export const readerByPath = (path: string) => fieldReader(...path.split('.'));

/** Sets the nested field at a dot-separated path, e.g. "data.text". */
export function setField(target: IDataObject, path: string, value: unknown): void {
	const keys = path.split('.');
	const last = keys.pop() ?? path;
	let inner = target;
	for (const key of keys) {
		const next = inner[key];
		// Copy the nested object, because it may be part of the input or of a response
		inner = inner[key] = isObject(next) ? { ...next } : {};
	}
	inner[last] = value as IDataObject[string];
}

/**
 * Merges two objects recursively. If either value isn't an object, the added value replaces the current
 * value.
 */
export function mergeObjects<T>(current: unknown, added: T): T | IDataObject {
	if (!isObject(current) || !isObject(added)) return added;
	const merged = Object.fromEntries(
		Object.entries(added).map(([key, value]) => [key, mergeObjects(current[key], value)]),
	);
	return { ...current, ...merged };
}
