import { isObject } from '../helpers/json';

/** Returns the value of an n8n resource locator. A plain string is a locator without a mode. */
export function readLocator(raw: unknown): unknown {
	return isObject(raw) && 'value' in raw ? raw.value : raw;
}
