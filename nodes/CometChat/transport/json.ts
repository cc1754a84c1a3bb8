import type { IDataObject } from 'n8n-workflow';

export function isObject(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns an object unchanged, and an empty object for any other value. */
export function asObject(value: unknown): IDataObject {
	return isObject(value) ? value : {};
}

/** Creates a function that reads an inner field, e.g. `field('data', 'text')`. */
export const field =
	(...path: string[]) =>
	(value: IDataObject): unknown =>
		path.reduce<unknown>(
			(inner, key) => (isObject(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined),
			value,
		);

/** Creates a function that reads an inner field, e.g. `fieldByPath('data.text')`. */
export const fieldByPath = (path: string) => field(...path.split('.'));

/** Sets an inner field, e.g. "data.text". */
export function setField(target: IDataObject, path: string, value: unknown): void {
	const keys = path.split('.');
	const last = keys.pop() ?? path;
	let inner = target;
	for (const key of keys) {
		const next = inner[key];
		// Copied, because the inner object may belong to the user or to a response
		inner = inner[key] = isObject(next) ? { ...next } : {};
	}
	inner[last] = value as IDataObject[string];
}

/** Merges two objects at every depth. Any other value replaces the current value. */
export function mergeObjects<T>(current: unknown, added: T): T | IDataObject {
	if (!isObject(current) || !isObject(added)) return added;
	const entries = Object.entries(added).map(([key, value]) => [
		key,
		mergeObjects(current[key], value),
	]);
	return { ...current, ...Object.fromEntries(entries) };
}

/** Yields a value, then its inner values, level by level. No depth overflows the stack. */
export function* listValuesByDepth(value: unknown): Generator<unknown[]> {
	for (let level = [value]; level.length > 0;) {
		yield level;
		level = level.flatMap((each) =>
			typeof each === 'object' && each !== null ? Object.values(each) : [],
		);
	}
}
