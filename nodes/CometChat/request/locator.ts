import { isObject } from '../helpers/json';

/** Returns the value of an n8n resource locator. Returns any other value unchanged, e.g. a plain string. */
export function unwrapLocator(raw: unknown): unknown {
	return isObject(raw) && 'value' in raw ? raw.value : raw;
}
