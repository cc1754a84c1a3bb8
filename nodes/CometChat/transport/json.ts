import type { IDataObject } from 'n8n-workflow';

/** JSON of any shape: whatever a workflow or the service sent. */

export function isObject(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An object as it is, and none for anything else: what is not there has no properties. */
export function asObject(value: unknown): IDataObject {
	return isObject(value) ? value : {};
}

/** Reads an inner field, e.g. `field('data', 'text')`. */
export const field =
	(...path: string[]) =>
	(value: IDataObject): unknown =>
		path.reduce<unknown>(
			(inner, key) => (isObject(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined),
			value,
		);

/** The same by its place, e.g. "data.text". */
export const fieldByPath = (place: string) => field(...place.split('.'));

/** Sets an inner field, e.g. "data.text". */
export function setField(target: IDataObject, path: string, value: unknown): void {
	const keys = path.split('.');
	const last = keys.pop() ?? path;
	let inner = target;
	for (const key of keys) {
		const next = inner[key];
		// A copy: it may be the user's own object, or what the service sent
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

/** A value, what is in it, and what is in that: level by level, so that no depth overflows the stack. */
export function* walkLevels(value: unknown): Generator<unknown[]> {
	for (let level = [value]; level.length > 0;) {
		yield level;
		level = level.flatMap((each) =>
			typeof each === 'object' && each !== null ? Object.values(each) : [],
		);
	}
}
