import type { IDataObject } from 'n8n-workflow';

import { toUnixSeconds } from '../../transport/dates';
import {
	InputError,
	isEmpty,
	toChoice,
	toFlag,
	toInteger,
	toList,
	toText,
} from '../../transport/input';
import { MAX_PER_PAGE } from '../../transport/pages';

export const GROUP_TYPES = ['public', 'private', 'protected', 'password'];

const SEARCH_IN = ['name', 'guid'];

type Convert = (field: string, value: unknown, timezone: string) => unknown;

const text: Convert = (field, value) => toText(field, value);
const flag: Convert = (field, value) => toFlag(field, value);
const choice =
	(...allowed: string[]): Convert =>
	(field, value) =>
		toChoice(field, value, allowed);

/**
 * Several values, joined by commas in one key, as the service's own clients send them.
 * The one place that knows it.
 */
const list =
	(allowed?: string[]): Convert =>
	(field, value) => {
		const texts = toList(field, value, allowed);
		return texts.length > 0 ? texts.join(',') : undefined;
	};

/** Only `true` has an effect on the service, so nothing else is sent. */
const onlyTrue: Convert = (field, value) => (toFlag(field, value) ? true : undefined);

/** Query parameters of GET /groups that the user sets: label of the field, and how it is sent. */
export const GROUP_QUERY: Record<string, { field: string; convert: Convert }> = {
	searchKey: { field: 'Search Key', convert: text },
	searchIn: { field: 'Search In', convert: list(SEARCH_IN) },
	type: { field: 'Type', convert: choice(...GROUP_TYPES) },
	types: { field: 'Types', convert: list(GROUP_TYPES) },
	tags: { field: 'Tags', convert: list() },
	withTags: { field: 'With Tags', convert: flag },
	hasJoined: { field: 'Has Joined', convert: onlyTrue },
	updatedAt: { field: 'Updated At', convert: toUnixSeconds },
	affix: { field: 'Affix', convert: choice('append', 'prepend') },
	sortBy: { field: 'Sort By', convert: choice('name', 'guid', 'createdAt') },
	sortOrder: { field: 'Sort Order', convert: choice('asc', 'desc') },
};

/**
 * The query string of a list, but for the page and its size.
 *
 * @param values what the user set, by the names of the service
 * @param timezone in which dates without an offset are meant
 * @returns only what was set; an empty field is not
 * @throws InputError for a name or a value that the service does not take
 */
export function groupQuery(values: IDataObject, timezone: string): IDataObject {
	const query: IDataObject = {};
	for (const [name, value] of Object.entries(values)) {
		if (isEmpty(value)) continue;
		if (!Object.hasOwn(GROUP_QUERY, name)) {
			throw new InputError(name, 'is not a filter or sort field of this operation');
		}
		const { field, convert } = GROUP_QUERY[name];
		const sent = convert(field, value, timezone);
		if (sent !== undefined) query[name] = sent as IDataObject[string];
	}
	return query;
}

/** Where a list starts and how large its pages are. */
export function pageOptions({ page, perPage }: IDataObject, limit: number) {
	return {
		firstPage: isEmpty(page) ? 1 : toInteger('Page', page, 1, Number.MAX_SAFE_INTEGER),
		perPage: isEmpty(perPage)
			? Math.min(limit, MAX_PER_PAGE)
			: toInteger('Per Page', perPage, 1, MAX_PER_PAGE),
	};
}
