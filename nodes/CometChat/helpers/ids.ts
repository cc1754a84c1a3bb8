import { valueToText } from './json';

/** Converts a UID or GUID to lower case for comparison, because CometChat's IDs are case-insensitive. */
export const toLowerCaseId = (id: unknown): string => valueToText(id).toLowerCase();

/** Converts a UID or GUID to lower case. Returns undefined for a value that isn't a string. */
export const toLowerCaseIdOrUndefined = (value: unknown): string | undefined =>
	typeof value === 'string' ? value.toLowerCase() : undefined;

/** Converts one ID, a list of IDs, or no ID to a set of IDs in lower case. */
export const toLowerCaseIdSet = (ids: unknown): ReadonlySet<string> =>
	new Set([ids ?? []].flat().map(toLowerCaseId));
