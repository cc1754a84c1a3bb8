import type {
	IDataObject,
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
	INodePropertyOptions,
} from 'n8n-workflow';

import { pageOf } from '../transport/response';
import { MAX_PER_PAGE } from '../results/list';
import { hasNextPage } from '../results/numberedPages';
import { senderOf } from '../run/alone';

/** Entries that a picker shows before the user scrolls on. */
const PER_PAGE = 50;

/** A person waits for the list. */
const PATIENCE = { timeout: 20_000, maxWaitMs: 5_000 };

interface Picker {
	path: string;
	plural: string;
	/** Name of the field that becomes the parameter's value */
	id: string;
	/** Whether it comes in pages, and can be searched; by default it does */
	isPaged?: boolean;
	/** What is asked for beside the page */
	query?: IDataObject;
}

const GROUPS: Picker = { path: '/groups', plural: 'groups', id: 'guid' };
const USERS: Picker = { path: '/users', plural: 'users', id: 'uid' };
const REASONS: Picker = {
	path: '/moderation/reasons',
	plural: 'reasons',
	id: 'id',
	isPaged: false,
};
const DEACTIVATED_USERS: Picker = { ...USERS, query: { onlyDeactivated: true } };

/**
 * One page of a list to pick from.
 *
 * @param filter what the user typed
 * @param paginationToken number of the page, as this function returned it before
 * @throws as SendAlone does
 */
async function search(
	context: ILoadOptionsFunctions,
	{ path, plural, id, query, isPaged = true }: Picker,
	filter: string | undefined,
	paginationToken: unknown,
	perPage = PER_PAGE,
): Promise<INodeListSearchResult> {
	const number = Number(paginationToken) || 1;
	const searchKey = filter?.trim() ? { searchKey: filter.trim() } : {};
	const request = {
		method: 'GET' as const,
		path,
		query: isPaged ? { ...query, ...searchKey, page: number, perPage } : {},
	};
	const send = await senderOf(context);
	const page = await send(request, pageOf(plural), PATIENCE);
	const results = bestFirst(
		page.data.flatMap((entity) => entryOf(entity, id)),
		filter,
	);
	const place = { number, perPage, before: (number - 1) * perPage };
	return hasNextPage(page, place) ? { results, paginationToken: String(number + 1) } : { results };
}

const typed = (filter = ''): string => filter.trim().toLowerCase();

/** Whether the name or ID of an entry holds what was typed. */
const containing = (filter?: string) => (entry: INodeListSearchItems) =>
	entry.name.toLowerCase().includes(typed(filter));

/** What begins with the text that was typed comes first: it is what was meant. */
function bestFirst(results: INodeListSearchItems[], filter?: string): INodeListSearchItems[] {
	const begins = ({ name, value }: INodeListSearchItems) =>
		[name, String(value)].some((text) => text.toLowerCase().startsWith(typed(filter)));
	return [...results.filter(begins), ...results.filter((entry) => !begins(entry))];
}

/**
 * Users whose name or UID begins with a text; where there are none, those with the text anywhere, e.g.
 * a family name, among the first thousand: the service itself looks only at the beginning.
 */
async function searchPeople(
	context: ILoadOptionsFunctions,
	picker: Picker,
	filter: string | undefined,
	paginationToken: unknown,
): Promise<INodeListSearchResult> {
	const found = await search(context, picker, filter, paginationToken);
	if (found.results.length > 0 || typed(filter) === '') return found;
	const first = await search(context, picker, undefined, undefined, MAX_PER_PAGE);
	return { results: first.results.filter(containing(filter)) };
}

/** "Support Team (support-team)": names need not be unique. */
function entryOf(entity: IDataObject, id: string): INodeListSearchItems[] {
	const { [id]: value, name } = entity;
	if (typeof value !== 'string' && typeof value !== 'number') return [];
	const isNamed = typeof name === 'string' && name.trim() !== '';
	return [{ name: isNamed ? `${name} (${value})` : String(value), value: String(value) }];
}

/** Groups by name or GUID, for "From List". */
export async function searchGroups(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	return await search(this, GROUPS, filter, paginationToken);
}

/** Users by their name or UID, for "From List". */
export async function searchUsers(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	return await searchPeople(this, USERS, filter, paginationToken);
}

/** What empties such a field again: n8n's picker itself cannot. */
const APP_ITSELF: INodeListSearchItems = { name: 'The App Itself', value: '' };

/** The same, and first the app itself, for a field that may be empty. */
export async function searchActors(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const found = await searchPeople(this, USERS, filter, paginationToken);
	const isFirst = paginationToken === undefined && containing(filter)(APP_ITSELF);
	return isFirst ? { ...found, results: [APP_ITSELF, ...found.results] } : found;
}

/** The first thousand users, by their names: several can be chosen. */
export async function getUsers(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	const { results } = await search(this, USERS, undefined, undefined, MAX_PER_PAGE);
	return results.toSorted((a, b) => a.name.localeCompare(b.name)) as INodePropertyOptions[];
}

/** The same users as the filter 'Only Deactivated' lists: no other list has them. */
export async function searchDeactivatedUsers(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	return await searchPeople(this, DEACTIVATED_USERS, filter, paginationToken);
}

/** The app's reasons to report a message, for "From List": all come at once. */
export async function searchReasons(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const { results } = await search(this, REASONS, undefined, undefined);
	return { results: results.filter(containing(filter)) };
}
